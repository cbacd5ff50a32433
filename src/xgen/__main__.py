"""`python -m xgen` is `xgen`."""

from xgen.cli import main

main()
