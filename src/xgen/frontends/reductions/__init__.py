"""Steps of a thread in, fewer steps with the same outcomes out: of no language, for every reader.

retries              rounds that try the same once more: they wait
patience             loops that look for something so many times, and give up
counting_loops       loops that only count; constant_checks: checks that hold, of locals made of constants
unpublished          objects that no other thread can have an address of
steps                what steps read and write; assignments that no step needs
"""
