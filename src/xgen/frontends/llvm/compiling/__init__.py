"""From files of C++, and of C, to LLVM's IR: `sources` takes them, and gives the program that the reader makes of it.

compilers   which compiler: its command, its version; frontends/process.py has how one is run, and what it says
compile     what it is told
runtime     the sources of libc++

What was made is kept for the next run: frontends/cache.py, frontends/translated.py, kept.py.
"""
