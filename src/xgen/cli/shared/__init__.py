"""What several commands share beside their options and their output."""
