"""Remembering what was found out about models: suites of small tests ask for the same again and again."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from xgen.memory.algebra import Model

P = ParamSpec("P")
T = TypeVar("T")


def remembered(limit: int) -> Callable[[Callable[Concatenate[Model, P], T]], Callable[Concatenate[Model, P], T]]:
    """Makes a function of a model, and of further arguments that can be hashed, remember its last `limit` results.

    Models are told apart by identity: comparing them would take as long as what is saved.
    """

    def decorate(function: Callable[Concatenate[Model, P], T]) -> Callable[Concatenate[Model, P], T]:
        results: OrderedDict[object, tuple[Model, T]] = OrderedDict()  # with the model, so that its id stays its own

        @wraps(function)
        def wrapper(model: Model, /, *args: P.args, **kwargs: P.kwargs) -> T:
            key = (id(model), args, tuple(sorted(kwargs.items())))
            if key in results:
                results.move_to_end(key)
                return results[key][1]
            result = function(model, *args, **kwargs)
            results[key] = (model, result)
            if len(results) > limit:
                results.popitem(last=False)
            return result

        return wrapper

    return decorate
