"""Tests of what statements are: updates, exclusives, blocks, addresses, objects; threads that wait for each other."""
