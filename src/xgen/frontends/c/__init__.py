"""Reading C: what C means, as statements and expressions of XCFA.

values  numbers and conditions, which XCFA tells apart
"""
