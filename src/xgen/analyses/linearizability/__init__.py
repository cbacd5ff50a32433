"""Whether a data structure is right: from the functions of a file to a verdict, without a client of the user's.

operations      which functions are operations, and how they are called
clients         the clients: who calls what, the smallest ones first and each once but for names
texts           the files, in the languages that are read
programs        the program that a client is, as text and as a tree
orders          whether an order of calls explains what they returned
specifications  what calls may return one after the other: by name, in Python
sequential      the same of a C file, which is run with a lock around each call
handshakes      what a client may know of the order of its calls, and which results stay possible then
names           histories that differ by names only, of which one is looked at
forecast        of large clients, the results that the specification allows, and the orders that rule them out
reasons         the smallest set of calls that cannot be together, and what would have been right
graphs          handshakes on execution graphs, where the model has to be asked again
search          the search, and the answer
ask             all of it, as users ask: files, names, bounds
"""
