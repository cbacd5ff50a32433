"""Steps of a thread in, fewer steps with the same outcomes out: of no language, for every reader.

retries              rounds that try the same once more: they wait
counting_loops       loops that only count; constant_checks: checks that hold, of locals made of constants
unpublished          objects that no other thread can have an address of
steps                what steps read and write; assignments that no step needs
"""
