"""What memory holds that has no value, where such is copied: a number that no value is taken to be."""

NOTHING = -(1 << 63) + 0x756E736574
