"""Tests of drawings: dot, SVG, TikZ."""
