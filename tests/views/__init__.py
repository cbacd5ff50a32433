"""Tests of the views, on executions and results made by hand."""
