"""
Seeds that are modulated.

PsyNeuLink asks for the seed whenever a Function draws: if its whole part is another one than the generator was last seeded with, the
generator starts anew. A seed that no generator takes is an error there; here the trial goes on with the one before, and is
given up at its end by a state that keeps that (`cog.fail`). In a node function:

    start = int(seed if seed > -1.0 and seed < 2.0**32 else used_seed)
    if start != int(used_seed):
        random.seed(start)
"""

from __future__ import annotations

from typing import Any

from cogir.psyneulink.importer.modulation import signal_of
from cogir.psyneulink.importer.node_source import Expression
from cogir.psyneulink.importer.node_writer import NodeWriter
from cogir.psyneulink.reader import note_read, used_seed

DEAF = ("UniformToNormalDist", "MatrixMemory", "Kohonen")
"""Functions that draw from the generator of their own seed, modulated or not."""

SEEDS_BELOW = 2.0**32
"""The least number that is no seed of NumPy's RandomState."""

RANDOMIZATION = "RANDOMIZATION_CONTROL_SIGNAL"
"""The name of the ControlSignal that gives each estimate of a controller its seeds, which are seeds."""
WRONG_SEED = "its seed is modulated, and was negative or at least 2**32; let the modulation give whole numbers from 0 to 2**32 - 1"

SOMETIMES = ("OneHot",)
"""Functions that do not look at their generator in each execution."""


def draws_without_context(function: Any) -> bool:
    """True of the Function by which a SoftMax draws, which PsyNeuLink calls in no execution context."""
    return type(function).__name__ == "OneHot" and type(getattr(function, "owner", None)).__name__ == "SoftMax"


def seed_port(writer: NodeWriter, owner: Any) -> Any:
    """The ParameterPort of the seed of a component, if modulation acts on it."""
    parameter = getattr(owner.parameters, "seed", None)
    port = None if parameter is None else writer.port_of_parameter.get(parameter.final_source)
    return port if port is not None and writer.modulation.acting_on(port) else None


def follow_seed(writer: NodeWriter, random: Expression, owner: Any, generator: Any) -> None:
    """Writes that a generator starts anew when the seed that modulation makes of its own has become another one."""
    port = seed_port(writer, owner)
    if port is None or type(owner).__name__ in DEAF:
        return
    if type(owner).__name__ in SOMETIMES:
        raise writer.refuse(
            f"the seed of its {type(owner).__name__} is modulated, which has an effect in PsyNeuLink only when it draws",
            "leave the modulation out",
        )
    source = owner.parameters.seed.final_source
    note_read(source, writer.reader.execution_id)
    seed = writer.held_parameter(source, "seed", float(writer.reader.get(owner, "seed")))
    used = writer.body.state(f"used {port.name}", float(used_seed(generator)))
    wrong = writer.body.state(f"wrong {port.name}", 0.0)
    is_seed = f"{seed.text} > -1.0 and {seed.text} < {SEEDS_BELOW!r}"
    start = writer.body.bind(f"start {port.name}", f"int({seed.text} if {is_seed} else {used.text})", 0)
    writer.body.lines += [f"if {start.text} != int({used.text}):", f"    {random.text}.seed({start.text})"]
    writer.body.successors[used.text] = f"{seed.text} if {is_seed} else {used.text}"
    writer.body.successors[wrong.text] = f"{wrong.text} if {is_seed} else 1.0"
    writer.used_seeds[random.text] = used.text
    if not all(signal_of(projection).name == RANDOMIZATION for projection in writer.modulation.acting_on(port)):
        writer.failures[wrong.text] = WRONG_SEED


def ignore_unused_seeds(writer: NodeWriter) -> None:
    """Modulations of seeds of generators from which the Mechanism does not draw have no effect."""
    for port in writer.mechanism.parameter_ports:
        if getattr(port.source, "name", None) == "seed":
            for projection in writer.modulation.acting_on(port):
                if projection not in writer.modulation.gates:
                    writer.modulation.ignore(projection)
