"""Tests of pages and notebooks, in a real browser where there is one."""
