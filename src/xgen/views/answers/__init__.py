"""Answers as text and as JSON, a module for each kind of answer."""
