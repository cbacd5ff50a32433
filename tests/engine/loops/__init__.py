"""Tests of what goes on: bounds that grow, rounds that are tried again, threads that wait for ever."""
