"""`python -m xgen` is `xgen`."""

from xgen_command import main

main()
