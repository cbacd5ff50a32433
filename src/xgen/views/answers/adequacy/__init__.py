"""How much a test tries: the lines that it comes to, and the weaker orders that it notices."""
