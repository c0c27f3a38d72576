"""
`AutodiffComposition.learn` in `ExecutionMode.LLVMRun`, natively.

PsyNeuLink prepares learning as ever, then asks for what it has compiled (`CompExecution`) and has that run all trials. In its place stands
what cogir has compiled; results, matrices and values are left as PsyNeuLink's compiler leaves them. Where cogir cannot do the same, its own
compiler goes on, with the trials that have been drawn already.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from inspect import isgenerator
from operator import is_
from typing import Any, cast
from weakref import WeakKeyDictionary

import numpy as np

from cogir.errors import CogirError
from cogir.frontend.compile import source_of
from cogir.psyneulink.execution.changes import Watch
from cogir.psyneulink.history import noted_compiling
from cogir.psyneulink.importer.projections import matrix_of
from cogir.psyneulink.importer.survey import Survey
from cogir.psyneulink.learning.import_autodiff import NAME
from cogir.psyneulink.learning.import_autodiff_llvm import REMEDY, CompiledLearning, Kink, compiled_learning
from cogir.psyneulink.pnl import array_of, compiled_forms, copy_of, input_variable
from cogir.psyneulink.reader import UnsupportedFeature, recorded_reads
from cogir.psyneulink.records import kept
from cogir.psyneulink.state.lazy_values import PENDING
from cogir.psyneulink.state.trace import all_alike, trace_of
from cogir.runtime.context import NativeContext
from cogir.runtime.learning import Batches, Learner, learner_of
from cogir.runtime.options import Options
from cogir.runtime.plan import Floats

_CARRIED: WeakKeyDictionary[Any, dict[Any, LearningState]] = WeakKeyDictionary()
"""By the Composition and the execution context."""


class LearningState:
    """The state between calls of `learn`: the rate with which the first one was compiled, and the moments of Adam."""

    def __init__(self, rate: float):
        self.rate = rate
        self.moments: dict[str, Floats] = {}


class CompiledTrials:
    """Replaces PsyNeuLink's compiled form of a Composition that learns."""

    def __init__(self, composition: Any, context: Any, original: Callable[[], Any], tell: Callable[[Any, CogirError], None]):
        self.composition, self.context, self.original, self.tell = composition, context, original, tell

    def run(self, inputs: Any, num_trials: int, num_input_sets: int) -> Any:
        """Learns from so many trials, which take the inputs in turn; returns what they give."""
        drawn = list(inputs) if isgenerator(inputs) else None
        carried = _CARRIED.setdefault(self.composition, {})
        key = self.context.execution_id
        try:
            if drawn is None:
                raise UnsupportedFeature(f"AutodiffComposition {self.composition.name!r}", "its inputs are not a dict", REMEDY)
            state = carried.get(key) or LearningState(float(self.composition.learning_rate))
            results = self.session(state).learn(drawn, num_trials)
            carried[key] = state
        except CogirError as error:
            if key in carried and carried[key].moments:
                raise UnsupportedFeature(str(error), "Adam has begun to learn natively, which PsyNeuLink cannot continue", REMEDY) from None
            if isinstance(self.composition.loss_spec, np.ndarray):
                feature = "a run in LLVMRun mode has replaced its loss by a number, with which PsyNeuLink's own compiler fails"
                remedy = "run it in Python mode between two calls of learn()"
                raise UnsupportedFeature(f"AutodiffComposition {self.composition.name!r}", feature, remedy) from None
            self.tell(self.composition, error)
            given = inputs if drawn is None else (one for one in drawn)
            return self.original().run(given, num_trials, num_input_sets)
        return results

    def session(self, state: LearningState) -> CompiledSession:
        """The compiled form."""
        try:
            return CompiledSession(self.composition, self.context, state)
        except CogirError:
            raise
        except Exception as error:  # what is not expected here must lead to PsyNeuLink's compiler, not to a failure of the script
            raise UnsupportedFeature(
                f"AutodiffComposition {self.composition.name!r}", f"it does not learn natively: {error}", REMEDY
            ) from error


def compiled_trials(
    original: Callable[..., Any], composition: Any, context: Any, tags: frozenset[str], tell: Callable[[Any, CogirError], None]
) -> Any:
    """The runner of the trials of a Composition that learns: PsyNeuLink's compiled form, if that has learned before in this context."""
    held: dict[frozenset[str], Any] | None = compiled_forms(composition, context)
    if held and tags in held:
        return original(composition, context, additional_tags=tags)
    return CompiledTrials(composition, context, lambda: original(composition, context, additional_tags=tags), tell)


class CompiledForm:
    """The compiled form of an AutodiffComposition that learns as by PsyNeuLink's compiler, for all calls in one execution context."""

    @noted_compiling()
    def __init__(self, composition: Any, copy: Any, key: Any, rate: float):
        self.made_for = made_for(composition, copy, rate)
        survey = Survey(composition)
        with recorded_reads() as reads:
            self.model: CompiledLearning = compiled_learning(composition, copy, key, rate, survey)
        options = Options(entry="learn", flags=(), without=("split-inputs",))
        self.learner: Learner = learner_of(source_of(self.model.imported.model, learning=True), "run", options)
        ports = [port for node in self.model.imported.written for port in node.output_ports]
        taken = [port.parameters.value for port in ports]  # of which each trial makes new ones
        for projection in self.model.matrices.values():
            taken += [matrix_of(projection), projection.parameters.matrix.final_source]
        self.watch = Watch(survey, reads, {id(parameter.values) for parameter in taken}, self.model.imported.functions())

    def fits(self, composition: Any, copy: Any, rate: float) -> bool:
        """True if it learns what the Composition is to learn now."""
        wanted = made_for(composition, copy, rate)
        return all(map(is_, wanted, self.made_for)) and not self.watch.changed()


FORMS_KEPT = 4
"""The number of execution contexts of one Composition whose compiled forms are kept."""


class CompiledForms:
    """The compiled forms of a Composition, by execution context, the one used last at the end."""

    def __init__(self) -> None:
        self.made: dict[Any, CompiledForm] = {}


def made_for(composition: Any, copy: Any, rate: float) -> tuple[Any, ...]:
    """The objects by which learning is compiled that are no Parameters."""
    return (copy, copy.execution_sets, copy.projections_map, composition.loss_spec, composition.optimizer_type, rate)


def form_of(composition: Any, copy: Any, key: Any, rate: float) -> CompiledForm:
    """The compiled form for an execution context, made anew when the Composition has become another one."""
    PENDING.flush()
    made = kept(composition, CompiledForms).made
    found = made.pop(key, None)
    if found is None or not found.fits(composition, copy, rate):
        found = CompiledForm(composition, copy, key, rate)
    made[key] = found
    while len(made) > FORMS_KEPT:
        del made[next(iter(made))]
    return found


class CompiledSession:
    """One call of `learn` of an AutodiffComposition, as by PsyNeuLink's compiler."""

    def __init__(self, composition: Any, context: Any, carried: LearningState):
        self.composition, self.key, self.carried = composition, context.execution_id, carried
        copy = composition.parameters.pytorch_representation.get(context)
        form = form_of(composition, copy, self.key, carried.rate)
        self.model = form.model
        self.check_schedule()
        self.learner = form.learner
        self.native: NativeContext = self.learner.new_context()
        self.plan = self.learner.plan
        for path, projection in self.model.matrices.items():
            self.native.pf[self.plan.slots[path].words] = np.ravel(projection.parameters.matrix.get(self.key))
        for name, value in carried.moments.items():
            self.native.sf[self.plan.slots[name].words] = value

    def refuse(self, feature: str) -> UnsupportedFeature:
        return UnsupportedFeature(f"AutodiffComposition {self.composition.name!r}", feature, REMEDY)

    def check_schedule(self) -> None:
        """Refuses conditions, of which PsyNeuLink's compiler takes no notice."""
        calls: Mapping[Any, int] = trace_of(self.composition).calls if all_alike(self.composition) else {}
        if any(calls.get(node) != 1 for node in self.model.shown):
            raise self.refuse("it has a schedule, which PsyNeuLink's compiler ignores")

    def learn(self, drawn: Sequence[Any], num_trials: int) -> list[Any]:
        """Learns from trials that take the inputs in turn; raises UnsupportedFeature before anything has changed."""
        rows = np.array([self.row(one) for one in drawn])
        order = np.arange(num_trials) % len(rows)
        batches = Batches.of([rows], order, np.arange(num_trials + 1), self.plan.size("out"))
        done = 0
        try:
            done = self.learner.learn(self.native, batches)
        except KeyboardInterrupt:
            done = self.native.progress.done
            raise
        finally:
            self.check(batches.out[:done], batches.losses[:done])
            if done:
                self.give(batches.out[:done])
                self.show_interfaces(rows[order[done - 1]], batches.out[done - 1 : done])
        return self.results(batches.out)

    def row(self, drawn: Any) -> Floats:
        """The inputs of a trial; PsyNeuLink's compiler takes the first trial of a batch, and no other."""
        given: dict[Any, Any] = dict(cast("tuple[Any, ...]", drawn)[0] if isinstance(drawn, tuple) else drawn)
        ports: list[Any] = input_variable(self.composition, given)
        row = np.concatenate([np.ravel(np.asarray(port, float)) for port in ports])
        if len(row) != self.plan.size("in"):
            raise self.refuse("the shape of its inputs differs from the shape of its ports")
        return row

    def check(self, out: Floats, losses: Floats) -> None:
        """Leaves to PsyNeuLink's compiler what it does not compute as cogir does: beyond all bounds, and at the kinks of ReLUs."""
        if not (np.isfinite(losses).all() and np.isfinite(self.native.pf).all()):
            raise self.refuse("its weights grow without bound")
        if any(self.touches(kink, out) for kink in self.model.kinks):
            raise self.refuse("the variable of a ReLU is exactly where its slope changes")

    def touches(self, kink: Kink, out: Floats) -> bool:
        """True if the two derivatives of a ReLU make a difference in one of the trials."""
        at = np.any(self.columns(out, kink.variables) == kink.bias, axis=1)
        return bool(np.any(at & np.any(self.columns(out, kink.before) != 0.0, axis=1)))

    def columns(self, out: Floats, names: Sequence[str]) -> Floats:
        """Some outputs of the trials, side by side."""
        return np.concatenate([out[:, self.plan.slots[f"out:{name}"].words] for name in names], axis=1)

    def give(self, out: Floats) -> None:
        """Puts what was learned, and what the last trials have left, into PsyNeuLink."""
        for path, projection in self.model.matrices.items():
            slot = self.plan.slots[path]
            # What the port of a matrix goes on from stays: in PsyNeuLink a run in Python mode begins with the old matrix.
            previous = projection.parameter_ports["matrix"].function.parameters.previous_value
            before = copy_of(previous.get(self.key))
            projection.parameters.matrix.set(self.native.pf[slot.words].reshape(slot.shape).copy(), self.key, override=True)
            previous.set(before, self.key, override=True)
        names = [name for name in self.plan.slots if name.startswith(f"{NAME}/state:")]
        self.carried.moments = {name: self.native.sf[self.plan.slots[name].words].copy() for name in names}
        for node, shown in self.model.shown.items():  # PsyNeuLink's compiler leaves the values of TransferMechanisms a trial behind
            left = out[-2:-1] if type(node).__name__ == "TransferMechanism" else out[-1:]
            if len(left):
                node.parameters.value.set(self.columns(left, shown), self.key, override=True)

    def show_interfaces(self, row: Floats, out: Floats) -> None:
        """Puts into the CIMs what has gone through them in the last trial, with these inputs and outputs."""
        composition = self.composition
        ends = np.cumsum([np.size(port.parameters.value.get(self.key)) for port in composition.input_CIM.output_ports])
        arrived = [part.copy() for part in np.split(row, ends[:-1])]
        for cim, ports in ((composition.input_CIM, arrived), (composition.output_CIM, self.results(out)[0])):
            cim.parameters.value.set(array_of(ports), self.key, override=True)

    def results(self, out: Floats) -> list[Any]:
        """The results of trials as PsyNeuLink's compiler gives them."""
        slots = [self.plan.slots[f"out:{name}"] for name in self.plan.outputs[: self.model.outputs]]
        columns = [out[:, slot.words].tolist() for slot in slots]
        return [list(ports) for ports in zip(*columns, strict=True)]
