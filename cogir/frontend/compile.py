"""
`cogir.compile`: from any form of a model to something that runs.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import signature, unwrap
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeAlias

from cogir.callers import ends_at_caller
from cogir.frontend.compilable import Compilable
from cogir.frontend.parsed import ParsedModel
from cogir.runtime.compiled import Compiled
from cogir.runtime.options import Source

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    AnyModel: TypeAlias = Compilable | ModuleOp | str

P = ParamSpec("P")


def of_any_form(method: Callable[Concatenate[Compilable, P], Compiled]) -> Callable[Concatenate[AnyModel, P], Compiled]:
    """A method of models as a function that also takes a module, or the text of one."""

    plain: Callable[Concatenate[Compilable, P], Compiled] = unwrap(method)

    @wraps(plain)
    def compile(model: AnyModel, *args: P.args, **options: P.kwargs) -> Compiled:
        return plain(model if isinstance(model, Compilable) else ParsedModel(model), *args, **options)

    compile.__qualname__ = compile.__name__
    compile.__module__ = __name__
    first, *others = signature(plain).parameters.values()
    vars(compile)["__signature__"] = signature(plain).replace(parameters=[first.replace(name="model"), *others])
    return compile


compile = ends_at_caller(of_any_form(Compilable.compile))


def source_of(model: Compilable, *, learning: bool = False) -> Source:
    """The input of the runtime: how to build the module, and its fingerprint; `learning`: for a module that learns."""
    return model.source(learning=learning)
