"""Tests of what commands are given: files, their names, standard input, what comes with xgen."""
