"""The version, where everything that writes it down finds it."""

__version__ = "0.2.0"
