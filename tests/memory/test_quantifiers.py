"""for_each loops are hoisted: they become binders of the constraints that use them."""

from __future__ import annotations

from memory.graphs import shape
from xgen.errors import Source
from xgen.memory.algebra import Binder, Check, Junction, Model, Op, Term
from xgen.memory.mcm.parser import read_model

READS, WRITES, EVENTS, PO, RF = (Term(op) for op in (Op.READS, Op.WRITES, Op.EVENTS, Op.PO, Op.RF))


def model(text: str) -> Model:
    return read_model(Source("m.mcm", text))


def check(text: str) -> Check:
    """The only constraint's check."""
    (constraint,) = model(text).constraints
    assert isinstance(constraint.condition, Check)
    return constraint.condition


def both(left: Term, right: Term) -> Term:
    return Term(Op.INTERSECT, (left, right))


def restricted(relation: Term, start: Term, end: Term) -> Term:
    return both(relation, Term(Op.CROSS, (start, end)))


def test_a_loop_becomes_a_binder() -> None:
    result = check("d = for_each_node R begin po(R[node] -> W) end d empty")
    binder = Binder("d.node0", "node", READS)
    term = restricted(PO, both(READS, Term(Op.BOUND, (), "d.node0")), WRITES)
    assert result == Check("empty", term, (binder,))


def test_loops_over_threads_and_variables() -> None:
    text = """
    d = for_each_var begin for_each_thread begin po(A[var][thrd] -> A[thread]) end end
    d acyclic
    """
    variable, thread = Term(Op.VARIABLE, (), "d.var0"), Term(Op.THREAD, (), "d.thrd0")
    term = restricted(PO, both(both(EVENTS, variable), thread), both(EVENTS, thread))
    assert check(text) == Check("acyclic", term, (Binder("d.var0", "variable"), Binder("d.thrd0", "thread")))


def test_numbers_count_the_loops_of_a_kind_from_outside() -> None:
    text = """
    d = for_each_node F begin for_each_var begin for_each_node W begin
          po(A[node0] -> A[node1]) ; po(A[node] -> A[var0])
        end end end
    d empty
    """
    result = check(text)
    assert [binder.name for binder in result.binders] == ["d.node0", "d.var0", "d.node1"]
    outer, inner, variable = (
        both(EVENTS, Term(op, (), f"d.{name}"))
        for op, name in ((Op.BOUND, "node0"), (Op.BOUND, "node1"), (Op.VARIABLE, "var0"))
    )
    assert result.term == Term(Op.SEQUENCE, (restricted(PO, outer, inner), restricted(PO, inner, variable)))


def test_loops_side_by_side_have_binders_of_their_own() -> None:
    text = """
    d = (for_each_node R begin po(A[node] -> A) end) | (for_each_node W begin po(A[node0] -> A) end)
    d empty
    """
    result = check(text)
    assert result.binders == (Binder("d.node0", "node", READS), Binder("d.node0#2", "node", WRITES))
    names = [part.name for part in result.term.subterms() if part.op is Op.BOUND]
    assert names == ["d.node0", "d.node0#2"]


def test_a_domain_may_mention_outer_loops() -> None:
    result = check("d = for_each_node R begin for_each_node source(rf(W -> R[node])) begin A[node] * A end end d empty")
    bound = both(READS, Term(Op.BOUND, (), "d.node0"))
    assert result.binders[1].domain == Term(Op.DOMAIN, (restricted(RF, WRITES, bound),))
    assert result.term.args[0] == both(EVENTS, Term(Op.BOUND, (), "d.node1"))


def test_the_loops_of_a_domain_come_first() -> None:
    text = """
    last = for_each_node W begin range(po(A[node] -> R)) end
    d = for_each_node last begin po(A[node] -> A) end
    d empty
    """
    assert [binder.name for binder in check(text).binders] == ["last.node0", "d.node0"]


def test_two_uses_of_a_definition_share_its_loop() -> None:
    text = """
    a = for_each_node R begin po(R[node] -> A) end
    b = for_each_node W begin a ; po(A -> W[node]) end
    c = a^-1 ; b
    c empty
    """
    result = check(text)
    assert [binder.name for binder in result.binders] == ["a.node0", "b.node0"]  # in the order of their appearance


def test_each_check_has_binders_of_its_own() -> None:
    text = """
    a = for_each_node R begin po(R[node] -> A) end
    b = rf
    a empty | (b empty & a acyclic)
    """
    (constraint,) = model(text).constraints
    either = constraint.condition
    assert isinstance(either, Junction)
    both_ = either.parts[1]
    assert isinstance(both_, Junction)
    parts = [either.parts[0], *both_.parts]
    assert [len(part.binders) for part in parts if isinstance(part, Check)] == [1, 0, 1]


def test_definitions_record_their_own_loops() -> None:
    text = """
    a = for_each_node R begin po(R[node] -> A) end
    b = for_each_node W begin a ; po(A -> W[node]) end
    """
    definitions = model(text).definitions
    assert [[binder.name for binder in definition.binders] for definition in definitions] == [["a.node0"], ["b.node0"]]


def test_hoisting_is_for_all() -> None:
    """Acyclic for each variable is less than acyclic."""
    graph = shape("a:Wx b:Ry | c:Wy d:Rx", "")  # store buffering, both reads read initial values
    per_variable = model("""
    d = for_each_var begin po(A[var] -> A[var]) | rf | mo | fr end
    d acyclic
    """)
    assert graph.allowed(per_variable)
    assert not graph.allowed(model("d = po | rf | mo | fr d acyclic"))
    assert not graph.allowed(model("d = for_each_node R begin fr(R[node] -> A) end d empty"))
    assert graph.allowed(model("d = for_each_node F begin fr end d empty")), "no fence, nothing to violate"


def test_terms_are_interned() -> None:
    model_ = model("a = po | rf b = po | rf")
    assert model_.definitions[0].term is model_.definitions[1].term
    assert Term(Op.PO) is PO
    assert hash(Term(Op.UNION, (PO, RF))) == hash(model_.definitions[0].term)
