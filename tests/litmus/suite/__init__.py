"""Tests of suites: found, picked, run in several processes, killed."""
