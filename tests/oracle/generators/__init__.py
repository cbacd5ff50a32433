"""Random programs of kinds of their own: calls, choices, any number of processes, loops that are tried again."""
