"""Every read of the service: functions that answer a question, named after the answer."""
