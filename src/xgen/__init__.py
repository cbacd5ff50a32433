"""xgen: can this concurrent program go wrong on hardware, or in a language, with this memory model?"""

__version__ = "0.1.0"
