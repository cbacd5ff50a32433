"""Tests of answers as text, JSON, SARIF, graphs."""
