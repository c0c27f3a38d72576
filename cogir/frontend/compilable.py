"""
What models from the builder and models from text have in common: both can be compiled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Sequence
    from concurrent.futures import Executor

    from cogir.frontend.builder import Model
    from cogir.frontend.parsed import ParsedModel
    from cogir.runtime.compiled import Compiled


class Compilable:
    """A model that `cogir.compile` takes."""

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
        )
