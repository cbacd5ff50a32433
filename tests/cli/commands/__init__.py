"""Tests of single commands: what each prints, and its exit codes."""
