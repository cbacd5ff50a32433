"""Pages that need nothing else: executions, placements, reports; with their scripts and styles."""
