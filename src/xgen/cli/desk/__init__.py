"""The commands for what people work in: editors, shells, browsers."""
