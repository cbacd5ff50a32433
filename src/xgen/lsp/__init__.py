"""The language server: what an editor shows of programs and models while one writes them.

`questions` says what is asked of a text; `work` answers it, in a process of its own; `words` knows names, for
completion and hover; `server` speaks the protocol, by pygls (the extra `lsp`), and is the only one that needs it.
"""
