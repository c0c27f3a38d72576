"""The dialects and passes of cogir for plain `xdsl-opt`, which finds them through the entry point `xdsl.universe`."""

from collections.abc import Callable

from xdsl.passes import ModulePass
from xdsl.transforms import get_all_passes
from xdsl.universe import Universe

from cogir.dialects.cog import Cog
from cogir.dialects.rng import Rng
from cogir.lowering.pipeline import PASSES


def _give(pass_type: type[ModulePass]) -> Callable[[], type[ModulePass]]:
    return lambda: pass_type


COGIR_UNIVERSE = Universe(
    all_dialects={"cog": lambda: Cog, "rng": lambda: Rng},
    # xDSL has a convert-scf-to-cf too, which does less; only cog-opt puts ours in its place.
    all_passes={name: _give(pass_type) for name, pass_type in PASSES.items() if name not in get_all_passes()},
)
