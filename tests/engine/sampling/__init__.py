"""Tests of probes: estimates and samples."""
