"""The playground, `xgen serve`: a page with a program and a model side by side, and checks as one types.

app.py      the server: requests in, answers out; it checks nothing itself
work.py     one question, answered in a process of its own, with limits and without files
objects.py  such a question of a data structure; examples.py: what there is to start with
assets/     the page; CodeMirror, its editors, is bundled with its license (editors/codemirror has how)
"""
