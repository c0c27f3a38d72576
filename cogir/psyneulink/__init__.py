"""
PsyNeuLink models at native speed, without a change to them.

    with cogir.psyneulink.accelerate():
        composition.run(inputs)

or, for a whole script, `python -m cogir.psyneulink script.py`, and for a notebook, `%load_ext cogir.psyneulink`.
`explain(composition)` tells what compiles and what does not, `report(composition)` and `report("script.py")` what has become of calls.
"""

from typing import TYPE_CHECKING, Any

from cogir.errors import no_attribute
from cogir.psyneulink.accelerate import accelerate
from cogir.psyneulink.fallback import FallbackWarning
from cogir.psyneulink.reader import UnsupportedFeature
from cogir.psyneulink.report import CallReport, report

__all__ = ["CallReport", "Explanation", "FallbackWarning", "UnsupportedFeature", "accelerate", "explain", "report", "run"]

if TYPE_CHECKING:
    from cogir.psyneulink.execution.native_run import run
    from cogir.psyneulink.explanation import Explanation, explain
else:  # a script whose runs stay in PsyNeuLink does not wait for what reads and compiles Compositions

    def __getattr__(name: str) -> object:
        from cogir.garbage import count_as_old, without_garbage_collection

        if name not in ("Explanation", "explain", "run"):
            raise no_attribute("cogir.psyneulink", name, __all__)
        with without_garbage_collection():
            from cogir.psyneulink.execution.native_run import run
            from cogir.psyneulink.explanation import Explanation, explain
        count_as_old()
        globals().update(Explanation=Explanation, explain=explain, run=run)
        return globals()[name]


_of_notebook: list[accelerate] = []
"""The acceleration that `%load_ext cogir.psyneulink` has begun."""


def load_ipython_extension(shell: Any) -> None:
    """Accelerates the Compositions of a notebook, as `%load_ext cogir.psyneulink` asks, from the import of PsyNeuLink on."""
    from cogir.psyneulink.runner import AfterImport

    unload_ipython_extension(shell)
    _of_notebook.append(AfterImport())


def unload_ipython_extension(shell: Any) -> None:
    """Ends that, as `%unload_ext cogir.psyneulink` asks."""
    while _of_notebook:
        _of_notebook.pop().stop()
