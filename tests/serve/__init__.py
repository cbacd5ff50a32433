"""The playground: its answers, its limits, and the page in a real browser."""
