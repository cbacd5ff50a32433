"""Questions about programs and models: problems in, answers as data out.

check            can it go wrong?
explain, missing why is an outcome forbidden, or how does it come about? what does a race lack?
compare          what tells two models apart? dialects: what programs for both are written in
fences, orders   what has to be added, and where? trial: whether a program is safe with that
prove, parameterised
                 is it right without a bound? for any number of processes?
ltl, ltl_repairs what happens for ever? which writes have to be atomic for it?
linearizability  is a data structure right?
suite, claims    many litmus tests; what files say of themselves
warnings         what every command says of a program
"""
