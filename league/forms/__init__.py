"""Forms: how what people type becomes what services take."""
