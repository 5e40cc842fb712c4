"""The organizers' admin on Django's: lists to read, and pages that call services. Facts are never edited here.

`registry` imports every module that registers a model; the application imports it once all models are loaded.
"""
