"""Answers of other ways than an exploration of all: samples of executions, and verdicts of a solver."""
