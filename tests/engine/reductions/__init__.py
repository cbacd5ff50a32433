"""Tests of what is explored once in the place of many: classes, parts, like threads, cells of one thread, on demand."""
