"""What files say of themselves: `// verdict rc11: safe, 20 executions`.

`options` reads what stands in parentheses, or behind `xgen:`; `read` finds the claims in a file's first comments;
`run` asks whether they are so; `files` finds files, and has several processes look at them; `update` writes counts
anew.
"""
