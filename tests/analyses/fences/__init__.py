"""Tests of placements of fences."""
