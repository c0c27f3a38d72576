"""
What models from the builder and models from text have in common: both can be compiled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from cogir.errors import no_attribute

if TYPE_CHECKING:
    from collections.abc import Sequence
    from concurrent.futures import Executor

    from cogir.frontend.builder.model import Model
    from cogir.frontend.parsed import ParsedModel
    from cogir.runtime.compiled import Compiled


OF_COMPILED = ("run", "replicates", "learn", "params", "state", "generators", "context", "specialise", "reset")
"""The names that users may look for in a model, and find in `Compiled`."""


class Compilable:
    """A model that `cogir.compile` takes."""

    name: str

    if not TYPE_CHECKING:  # type checkers would take any name for a method

        def __getattr__(self, name: str) -> object:
            owner = type(self).__name__
            if name in OF_COMPILED:
                call = "(...)" if name not in ("params", "state", "generators") else ""
                raise AttributeError(f'{owner} has no "{name}"; compile the model first: model.compile().{name}{call}', name=name, obj=None)
            raise no_attribute(owner, name, [*OF_COMPILED, *(known for known in dir(type(self)) if not known.startswith("_"))])

    def check(self) -> None:
        """
        Verifies the model without compiling it; raises `ModelError` with the place of what is wrong.

        The functions of nodes are parsed, and the module is verified as `compile` does before it lowers it.
        """
        from cogir.frontend.compile import source_of
        from cogir.frontend.text import check

        check(source_of(cast("Model | ParsedModel", self)).build(), f'model "{self.name}"')

    def compile(
        self,
        *,
        mode: str = "auto",
        target: str = "cpu",
        threads: int | None = None,
        executor: Executor | None = None,
        math: str = "portable",
        cache: bool = True,
        without: Sequence[str] = (),
        specialise: bool = False,
        unfinished: str = "warn",
        out_of_range: str = "warn",
        checked: bool = False,
    ) -> Compiled:
        """Makes the model ready to run; see `cogir.compile`."""
        from cogir.frontend.compile import compile

        return compile(
            cast("Model | ParsedModel", self),
            mode=mode,
            target=target,
            threads=threads,
            executor=executor,
            math=math,
            cache=cache,
            without=without,
            specialise=specialise,
            unfinished=unfinished,
            out_of_range=out_of_range,
            checked=checked,
        )
