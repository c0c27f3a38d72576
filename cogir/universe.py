"""What plain `xdsl-opt` sees of cogir: its dialects and passes, found through the entry point `xdsl.universe`."""

from collections.abc import Callable

from xdsl.passes import ModulePass
from xdsl.universe import Universe

from cogir.dialects.cog import Cog
from cogir.dialects.rng import Rng
from cogir.lowering.pipeline import PASSES


def _give(pass_type: type[ModulePass]) -> Callable[[], type[ModulePass]]:
    return lambda: pass_type


COGIR_UNIVERSE = Universe(
    all_dialects={"cog": lambda: Cog, "rng": lambda: Rng},
    all_passes={name: _give(pass_type) for name, pass_type in PASSES.items()},
)
