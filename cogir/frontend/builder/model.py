"""
The builder: a model as a scientist writes it down.

    m = cogir.Model("ddm")
    stimulus = m.node("stimulus", input=1)
    decision = m.node("decision", cogir.library.drift_diffusion_integrator, noise=0.5, threshold=1.0, reset_each_trial=True)
    m.project(stimulus, decision, matrix=[[1.0]])
    m.schedule.trial_ends(cogir.WhenFinished(decision))
    result = m.compile().run({"stimulus": [[0.3]]}, num_trials=1000)

A finished node stays finished until it is reset. Without the reset, the second trial would find `decision` finished and end
before anything has run.

The builder checks names, shapes and values where they are written, and keeps plain records; `ir()` turns them into a
`cog` module, and only `compile` and `ir` look at the source of any function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from inspect import unwrap
from typing import TYPE_CHECKING, Any, Concatenate, Literal, ParamSpec, cast, overload

from cogir.errors import CogirError, ModelError, closest, counted, shown
from cogir.frontend.builder import checks
from cogir.frontend.builder.check_end import stays_finished
from cogir.frontend.builder.conditions import AtTrialStart
from cogir.frontend.builder.dtypes import check_narrow, checked_dtype, narrow_record, narrow_types, narrow_values, refuse_in_float32
from cogir.frontend.builder.early_reads import warn_of_early_reads
from cogir.frontend.builder.forgotten_resets import has_forgotten_resets, warn_of_forgotten_resets
from cogir.frontend.builder.functions import FUNCTION_BY_KEYWORD, Streams, function_record, returned_by
from cogir.frontend.builder.generators import DEFAULT
from cogir.frontend.builder.graph import Graph
from cogir.frontend.builder.handles import Control, Instance, Node, Parameter, Port, Projection, State
from cogir.frontend.builder.learning import learning_record
from cogir.frontend.builder.parameters import defaults_of
from cogir.frontend.builder.projections import projection_body, projection_matrix
from cogir.frontend.builder.records import (
    Address,
    ControlRecord,
    InstanceRecord,
    ModulationRecord,
    NodeRecord,
    ProjectionRecord,
    StreamRecord,
    TraceRecord,
    TrialInput,
)
from cogir.frontend.builder.replacing import projection_key, put_projection_in_place, warn_repeated
from cogir.frontend.builder.schedule import Schedule
from cogir.frontend.builder.self_projections import warn_of_self_projection
from cogir.frontend.builder.signals import Estimates, Signal, check_levels
from cogir.frontend.builder.single_steps import nodes_that_start_anew, warn_of_single_steps
from cogir.frontend.builder.source_location import SourceLocation, did_you_mean, user_place
from cogir.frontend.builder.values import Array, as_value
from cogir.frontend.builder.widening import warn_full_matrix, warn_stretched_inputs
from cogir.frontend.compilable import Compilable
from cogir.frontend.parsed import ParsedModel
from cogir.frontend.source import source_of_record
from cogir.library.losses import mean_squared_error
from cogir.library.optimizers import gradient_descent
from cogir.runtime.compiled import Compiled
from cogir.runtime.options import Source

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

P = ParamSpec("P")
"""The parameters of a node's function beside its input."""


class Model(Graph, Compilable):
    """
    A model: nodes joined by projections, with a schedule and, if wanted, controllers.

    `seed` starts the generators that are not given a seed or state of their own, and is the seed of replicates and sweeps that are given
    none. `prng` is the kind of those that are not given one: "xoshiro256" (the default: the fastest, and the one that replicates draw from
    in SIMD lanes; no two models, generators and contexts share a stream), "mt19937" (NumPy's RandomState, which PsyNeuLink uses), or
    "philox4x64" or "philox" (NumPy's Philox). Generators of NumPy's take `seed`, `seed + 1` ... in the order in which they are made, as
    PsyNeuLink's do, so models of neighbouring seeds share streams.
    `dtype`: "float64" or "float32", the type of inputs, parameters, states and matrices, in which nodes compute.
    """

    def __init__(self, name: str = "model", *, seed: int = 0, prng: str = DEFAULT, dtype: Any = "float64"):
        place = user_place()
        super().__init__(checks.name(name, "model", place))
        self.description.dtype = checked_dtype(dtype, f'model "{name}"', place)
        self.schedule = Schedule(self)
        self.streams = Streams(seed, prng, f'model "{name}"', place)
        self.description.seed = self.streams.seed
        self.warns = True
        """
        False stretches shapes that differ, takes zeros for inputs that are not given, lets decisions make single steps, and reads what a
        node projects to itself as it was before, without a warning, as PsyNeuLink does.
        """

    # Building

    @overload
    def node(  # pyright: ignore[reportInconsistentOverload] # nobody gives positional arguments: P is for the keywords that editors offer
        self, name: str, function: Callable[Concatenate[Any, P], Any], /, *args: P.args, **values_by_name: P.kwargs
    ) -> Node: ...

    @overload
    def node(
        self,
        name: str,
        function: Callable[..., Any] | None = None,
        /,
        *,
        input: Any = None,
        params: Mapping[str, Any] | None = None,
        initial: Mapping[str, Any] | None = None,
        outputs: Sequence[str] | None = None,
        combine: str | Mapping[str, str] | None = None,
        execute_until_finished: bool = False,
        max_executions_before_finished: int | None = None,
        reset_each_trial: bool | None = None,
        seed: int | Mapping[str, int] | None = None,
        state: Any = None,
        prng: str | None = None,
        labels: Sequence[str] | Mapping[str, Sequence[str]] | None = None,
        units: Mapping[str, str] | None = None,
        replace: bool = False,
        **values_by_name: Any,
    ) -> Node: ...

    def node(
        self,
        name: str,
        function: Callable[..., Any] | None = None,
        /,
        *,
        input: Any = None,
        params: Mapping[str, Any] | None = None,
        initial: Mapping[str, Any] | None = None,
        outputs: Sequence[str] | None = None,
        combine: str | Mapping[str, str] | None = None,
        execute_until_finished: bool = False,
        max_executions_before_finished: int | None = None,
        reset_each_trial: bool | None = None,
        seed: int | Mapping[str, int] | None = None,
        state: Any = None,
        prng: str | None = None,
        labels: Sequence[str] | Mapping[str, Sequence[str]] | None = None,
        units: Mapping[str, str] | None = None,
        replace: bool = False,
        **values_by_name: Any,
    ) -> Node:
        """
        Adds a node that applies `function` (None: passes its input on) in each execution. One that cannot be compiled
        (docs/functions.md) is called once, to see what it returns, and in Python from then on; `NotCompiledWarning` says why.

        `input`: the shape of its input port, `3`, `(2, 3)` or `()`; a list of shapes, or a dict of port names and shapes,
        for several ports (default: one element each); `ShapeWarning` says where an array among the parameters makes an output longer.
        `combine`: "sum" or "product" of what arrives at a port.
        Parameters and start values of states are given by keyword, or in `params`. `initial`: port values before the first
        execution (default: zeros). `outputs`: names of the outputs to have as ports (default: all).
        `execute_until_finished` repeats the function within one execution of the node until it says that it
        has finished, at most `max_executions_before_finished` times (default 1000).
        `reset_each_trial`: True is `schedule.reset(node, AtTrialStart())`, which puts states, outputs and the finished flag back at the
        start of each trial; False says that a node which executes until finished goes on from where it stands (None: the same, but
        a run of several trials gives a `ResetWarning`).
        `seed` or `state` (a NumPy generator, its state, or words, which say their kind) start its generator, which is of kind `prng`
        (default: that of the model).
        `labels`: names of the elements along the last axis of the first output (and of others of that length), or a dict from outputs to
        such lists; `units`: a dict from outputs to units. Both stand in `result.to_xarray()`, tables and pictures.
        `replace`: True puts the node in the place of the one of this name, if there is one, as a cell of a notebook that is run again does.
        What was said about it stays, and handles of it mean the new one; what does not fit the new one (a projection to a port that is
        gone, or has another length) is dropped with a `ReplacedWarning`, or is an error where the rest of the model needs it. Compiled
        models stay as they are.
        """
        place = user_place()
        name = self.new_name(name, "node", place, replace)
        what = f'node "{name}"'
        given = checks.named_once(params, values_by_name, what, place)
        dtype = self.description.dtype
        options = unwrap(Model.node).__kwdefaults__
        if function is None:
            if "function" in given:
                raise ModelError(f"{place}: {what}: {FUNCTION_BY_KEYWORD.format(name=name)}")
            if given:
                remedy = did_you_mean(next(iter(given)), (), options).replace("; there is none", "; give a function that takes them")
                raise ModelError(f"{place}: {what}: found {', '.join(given)}, but it has no function{remedy}")
            body = None
            ports = narrow_types(checks.input_ports(input, ("variable",), what, place), dtype)
            returns, finishes = {"value": ports["variable"]}, False
        else:

            def new_stream(role: str, count: int) -> StreamRecord:
                called = (f"{name}_stream" if count == 1 else f"{name}_{role}_stream").replace(" ", "_")
                return self.streams.new(called, role, seed, state, prng, what, place)

            body = function_record(function, given, what, place, new_stream, python=not self.description.compiled_only, options=options)
            checks.roles(seed, "seed", body.signature.randoms, what, place)
            checks.roles(state, "state", body.signature.randoms, what, place)
            ports = narrow_types(checks.input_ports(input, body.signature.inputs, what, place), dtype)
            narrow_record(body, dtype)
            returns, finishes = returned_by(body, ports, what, place, python=not self.description.compiled_only)
            check_narrow(body, ports, returns, dtype, what, place)
            if self.warns:
                warn_stretched_inputs(body, ports, returns.values(), what, place)
        if (seed is not None or state is not None) and (body is None or not body.streams):
            raise ModelError(f"{place}: {what}: found a seed or state, but its function draws no random numbers; leave it out")
        if checks.flag(execute_until_finished, f"{what}: execute_until_finished", place) and not finishes:
            raise ModelError(
                f"{place}: {what}: execute_until_finished is given, but its function does not return `finished`; return Step(..., "
                "finished=...)"
            )
        if max_executions_before_finished is not None:
            limit = f"{what}: max_executions_before_finished"
            max_executions_before_finished = checks.count(max_executions_before_finished, limit, place)
        resets = reset_each_trial is not None and checks.flag(reset_each_trial, f"{what}: reset_each_trial", place)
        chosen = checks.chosen_outputs(returns, outputs, what, place)
        record = NodeRecord(
            name=name,
            place=place,
            inputs=ports,
            combine=checks.combinations(combine, ports, what, place),
            body=body,
            returns=returns,
            outputs=chosen,
            initials=narrow_values(checks.initial_values(initial, chosen, what, place), dtype),
            finishes=finishes,
            until_finished=execute_until_finished,
            max_executions=max_executions_before_finished,
            labels=checks.labels(labels, chosen, what, place),
            units=checks.units(units, chosen, what, place),
            given_initials=checks.outputs_given(initial, chosen),
        )
        node = self._add_node(record)
        if resets:
            self.schedule.reset(node, AtTrialStart())
        elif reset_each_trial is not None:
            self.description.schedule.carried.add(name)
        return node

    def instance(self, name: str, model: Model, *, replace: bool = False) -> Instance:
        """
        Places `model` in this one as a node whose execution is one trial of it, with its own clock, state and schedule. `replace`: in the
        place of the node or instance of this name, as with `node`.
        """
        place = user_place()
        name = self.new_name(name, "instance", place, replace)
        if not isinstance(cast(object, model), Model):
            raise ModelError(f'{place}: instance "{name}": found {shown(model)}; give a cogir.Model')
        if model is self or self.description in model.description.models_inside():
            raise ModelError(f'{place}: instance "{name}": model "{model.name}" would contain itself; give another model')
        if model.description.dtype != self.description.dtype:
            raise ModelError(
                f'{place}: instance "{name}": model "{model.name}" is of {model.description.dtype}, but this one of '
                f"{self.description.dtype}; give both the same dtype"
            )
        return self._add_instance(InstanceRecord(name, place, model.description))

    def project(
        self,
        source: Node | Instance | Port | str,
        target: Node | Instance | Port | str,
        *,
        matrix: Any = None,
        recurrent: bool | None = None,
        feedback: bool = False,
        name: str | None = None,
        function: Callable[..., Any] | None = None,
        replace: bool = False,
        **values_by_name: Any,
    ) -> Projection:
        """
        Adds a projection from an output port to an input port; a node stands for its only (or first) port.

        `matrix`: rows for the elements of the sender, columns for those of the receiver, or one of "identity", "full",
        "zeros", "hollow", "inverse_hollow"; default: identity for equal lengths, else full of ones (with a `ShapeWarning` unless one length
        is 1). `recurrent`: evaluated in each repetition of a receiver with execute_until_finished, instead of once before the first one;
        such a node that projects to itself gives a `RecurrentWarning` unless it is given. `feedback`: not counted for the order of
        execution. `function` with parameters by keyword replaces the matrix: a function of the sender's value; with a `name` its
        parameters can be modulated. `replace`: True puts it in the place of the one of this name, or without a name of the one between
        these ports. Without it, a second one between the same ports gives a `RepeatedWarning`, as both count; names say that both are
        meant.
        """
        place = user_place()
        sender, source_type = self.port(source, "out", "project", place)
        receiver, target_type = self.port(target, "in", "project", place)
        what = f"projection {sender.owner} -> {receiver.owner}"
        if recurrent is None and self.warns and sender.owner == receiver.owner:
            warn_of_self_projection(self.description, sender.owner, place)
        recurrent = recurrent is not None and checks.flag(recurrent, f"{what}: recurrent", place)
        feedback = checks.flag(feedback, f"{what}: feedback", place)
        if name is not None:
            name = self.new_name(name, "projection", place, replace)
        if function is not None:
            given = {**values_by_name, **({} if matrix is None else {"matrix": matrix})}
            body = projection_body(function, given, source_type, target_type, what, place, self.description.dtype)
            kept = None
        elif values_by_name:
            meant = closest(next(iter(values_by_name)), unwrap(Model.project).__kwdefaults__)
            remedy = "only a projection with a function has parameters" if meant is None else f'did you mean "{meant}"?'
            raise ModelError(f"{place}: {what}: found {', '.join(values_by_name)}; {remedy}")
        else:
            body, kept = None, projection_matrix(matrix, source_type, target_type, what, place)
            if matrix is None and self.warns:
                warn_full_matrix(source_type, target_type, what, place)
        record = ProjectionRecord(name, place, sender, receiver, source_type, target_type, kept, body, recurrent, feedback)
        if checks.flag(replace, f"{what}: replace", place) and put_projection_in_place(self.description, record, what, place):
            self._forget_projections()
            return self._add_projection(record, is_new=False)
        earlier = self.given_already(projection_key(record), self.projections)
        if earlier is not None and self.warns:
            remedy = "give replace=True to have only this one, or names to both if both are meant"
            warn_repeated(what, earlier.place, remedy, place, "both count")
        return self._add_projection(record)

    def modulate(
        self,
        source: Node | Instance | Port | str,
        target: Parameter,
        how: Literal["multiply", "add", "override"] = "multiply",
        *,
        replace: bool = False,
    ) -> None:
        """
        Lets an output port act on a parameter: the parameter used is its default times, plus, or replaced by the value.

        Several values that multiply are multiplied, those that add are summed; at most one overrides. `replace`: True puts it in the place
        of what this port already does to the parameter; without it a second one gives a `RepeatedWarning`.
        """
        place = user_place()
        sender, source_type = self.port(source, "out", "modulate", place)
        what = f"modulation {sender.owner} -> {shown(target)}"
        refuse_in_float32(self.description.dtype, f"{what}: modulation is", place)
        if source_type.size != 1 or source_type.dtype != "float64":
            raise ModelError(f"{place}: {what}: the sender has type {source_type}; a single f64 is required")
        earlier = self.given_already((sender, getattr(target, "address", None)), self.modulations)
        if checks.flag(replace, f"{what}: replace", place) and earlier is not None:
            kept = [each for each in self.modulations if (each.source, each.target) != (earlier.source, earlier.target)]
            self.check_modulation(target, how, what, place, kept)
            self.description.modulations = kept
        elif earlier is not None and self.warns:
            warn_repeated(what, earlier.place, "give replace=True to have only this one", place, "both count")
        self._add_modulation(ModulationRecord(place, sender, self.check_modulation(target, how, what, place), how))

    def control(
        self,
        name: str,
        *,
        objective: Node | Port | str,
        signals: Iterable[Signal],
        model: Model | None = None,
        direction: Literal["maximize", "minimize"] = "maximize",
        when: Literal["before", "after"] = "after",
        ties: Literal["first", "random"] = "first",
        trials_per_estimate: int = 1,
        estimates: int | Estimates = 1,
        seeds: Literal["same", "per_point"] = "per_point",
        seed_base: int = 0,
        keep: Literal["best", "values"] | None = None,
        features: Mapping[Any, Any] | None = None,
        seed: int | None = None,
        state: Any = None,
        prng: str | None = None,
        replace: bool = False,
    ) -> Control:
        """
        Adds a controller that, before or after each trial, simulates `model` (default: this model) on a grid of parameter
        values and keeps the best: the point whose `objective`, less the costs of its signals, is largest or smallest.

        `signals`: the axes of the grid, the first varying slowest. `ties`: the "first" best point wins, or a "random" one
        (drawn from `seed` or `state`). `estimates`: simulations per point, averaged, with the `same` seeds at all points
        or others `per_point`, or `Estimates` that say what they differ in. `keep`: whether the state tells what the last search found,
        the "best" point alone or the "values" of all. `features`: which port's value, or which numbers, the simulation takes for an input
        (default: the trial's inputs). `replace`: True puts it in the place of the controller of this name.
        """
        place = user_place()
        name = self.new_name(name, "controller", place, replace)
        what = f'controller "{name}"'
        refuse_in_float32(self.description.dtype, f"{what}: controllers are", place)
        owner = self if model is None else model
        if not isinstance(cast(object, owner), Model):
            raise ModelError(f"{place}: {what}: model is {shown(model)}; give a cogir.Model, or leave it out to simulate this one")
        for key, given, known in (
            ("direction", direction, ("maximize", "minimize")),
            ("when", when, ("before", "after")),
            ("ties", ties, ("first", "random")),
            ("seeds", seeds, ("same", "per_point")),
        ):
            checks.choice(given, known, f"{what}: {key}", place)
        if keep is not None:
            checks.choice(keep, ("best", "values"), f"{what}: keep", place)
        trials_per_estimate = checks.count(trials_per_estimate, f"{what}: trials_per_estimate", place)
        estimated = estimates if isinstance(estimates, Estimates) else None
        number = 1 if isinstance(estimates, Estimates) else checks.count(estimates, f"{what}: estimates", place)
        seed_base = checks.count(seed_base, f"{what}: seed_base", place, least=0)
        if ties == "first" and (seed is not None or state is not None):
            raise ModelError(
                f'{place}: {what}: found a seed or state, but ties="first" draws no random numbers; leave it out, or give ties="random"'
            )
        if not isinstance(cast(object, features), Mapping | None):
            raise ModelError(f"{place}: {what}: features is {shown(features)}; give a dict from inputs to ports")
        checks.roles(seed, "seed", ("ties",), what, place)
        checks.roles(state, "state", ("ties",), what, place)
        monitored, monitored_type = owner.port(objective, "out", f"{what}: objective", place)
        if monitored_type.size != 1:
            raise ModelError(f"{place}: {what}: the objective has type {monitored_type}; a single number is required")
        axes = checks.listed(signals)
        if axes is None:
            raise ModelError(f"{place}: {what}: signals is {shown(signals)}; give a list: signals=[cogir.Signal(...)]")
        if not axes:
            raise ModelError(f"{place}: {what}: it has no signals; give at least one cogir.Signal(node.param(...), levels=[...])")
        for signal in axes:
            if not isinstance(cast(object, signal), Signal):
                raise ModelError(f"{place}: {what}: found the signal {shown(signal)}; give cogir.Signal(node.param(...), levels=[...])")
            check_levels(signal)
        records = [signal.record for signal in axes]
        axes_and_estimates = [*axes] if estimated is None else [*axes, estimated]
        if double := checks.first_double(held.record.name for held in axes_and_estimates):
            raise ModelError(f'{place}: {what}: two signals are called "{double}"; give them names: Signal(..., name=...)')
        stream = self.streams.new(f"{name}_ties".replace(" ", "_"), "ties", seed, state, prng, what, place) if ties == "random" else None
        record = ControlRecord(
            name=name,
            place=place,
            model=None if model is None else model.description,
            objective=monitored,
            direction=direction,
            when=when,
            ties=ties,
            tie_stream=stream,
            trials_per_estimate=trials_per_estimate,
            estimates=number,
            seeds=seeds,
            seed_base=seed_base,
            keeps=keep,
            features={
                owner.port(to, "in", f"{what}: features", place)[0]: self._feature(of, f"{what}: features", place)
                for to, of in (features or {}).items()
            },
            signals=records,
            estimated=None if estimated is None else estimated.record,
        )
        beside = [each for each in self.modulations if each.source.owner != name]
        modulations: list[ModulationRecord] = []
        for held in axes_and_estimates:
            how = held.modulation if isinstance(held, Signal) else "override"
            for target in held.targets:
                address = self.check_modulation(target, how, what, place, [*beside, *modulations])
                modulations.append(ModulationRecord(place, Address(name, held.record.name), address, how))
        if name in self.controls:
            self.remove(self.controls[name])
        control = self._add_control(record)
        self.modulations.extend(modulations)
        return control

    def learning(
        self,
        losses: Iterable[tuple[Any, ...]],
        optimizer: Callable[..., Any] = gradient_descent,
        *,
        loss: Callable[..., Any] = mean_squared_error,
        weights: Iterable[Projection] | None = None,
        over: Literal["mean", "sum"] = "mean",
        name: str = "learning",
        replace: bool = False,
        **values_by_name: Any,
    ) -> None:
        """
        Says how the model learns: `m.compile().learn(inputs)` changes matrices of projections so that losses become smaller.

        `losses`: pairs (sample, target) of output ports of one shape, or triples with a function of the two; `loss` is that of pairs. Their
        sum counts. A target is any port, such as that of a node that passes on an input; nothing is learned through it. `optimizer`: a
        function (weights, gradient, parameters, states) such as `cogir.library.adam`, with parameters by keyword: `rate=0.1`.
        `weights`: the projections whose matrices are learned (default: all that have one). `over`: the loss of a batch of trials is the
        "mean" or the "sum" of theirs. `replace`: True puts it in the place of what was said before.
        """
        place = user_place()
        name = self.new_name(name, "learning", place)
        if not checks.flag(replace, f'learning "{name}": replace', place) and self.learns is not None:
            raise ModelError(
                f'{place}: learning "{name}": m.learning was already called, at {self.learns.place}; call it once, or give replace=True to '
                "put this in its place"
            )
        self.description.learns = learning_record(self, name, losses, optimizer, loss, weights, over, values_by_name, place)

    def record(self, *quantities: Node | Port | Parameter | State | Schedule | str, every: int = 1, replace: bool = False) -> None:
        """
        Records values inside of trials: `result.traces["decision/value"][3]` are those of the fourth trial, one for each execution.

            m.record(decision["value"], decision.param("rate"))
            m.record(decision.state("previous_value"), every=10)
            m.record(m.schedule)                                    # which nodes each time step has executed

        `quantities`: ports (a node stands for its first output) and states, as an execution leaves them; parameters, as an execution uses
        them, modulated; the schedule. Each repetition of a node that executes until finished is an execution. `every`: the first execution
        of a trial and every so many from there on are recorded. Several calls add up. Simulations of controllers are not recorded.
        `replace`: True lets a quantity be recorded in the new way that is recorded already.
        """
        place = user_place()
        every = checks.count(every, "record: every", place)
        replaces = checks.flag(replace, "record: replace", place)
        if not quantities:
            raise ModelError(f'{place}: record: nothing is given; give what to record, such as node["value"]')
        for given in quantities:
            kind, address = self._quantity(given, place)
            new = TraceRecord(place, kind, address, every)
            other = next((each for each in self.description.traces if (each.kind, each.quantity) == (kind, address)), None)
            if other is None:
                self.description.traces.append(new)
            elif replaces:
                self.description.traces[self.description.traces.index(other)] = new
            else:
                raise ModelError(
                    f"{place}: record: {shown(given)} is already recorded, at {other.place}; record it once, or give replace=True"
                )

    def _quantity(self, given: object, place: SourceLocation) -> tuple[str, Address]:
        """The kind of what is to be recorded, and its owner and name."""
        if given is self.schedule:
            return "schedule", Address("", "")
        if isinstance(given, Parameter | State):
            self.must_have(given, "record", place)
            if isinstance(given.owner, Node):
                return given.kind, given.address
        elif isinstance(given, Node | Port | str):
            address, _ = self.port(given, "out", "record", place)
            if isinstance(self.nodes.get(address.owner), Node):
                return "port", address
        raise ModelError(
            f"{place}: record: found {shown(given)}; give a port, a state or a parameter of a node of this model, or its schedule (what "
            "happens in an instance is recorded by its own model)"
        )

    def _feature(self, source: Any, what: str, place: SourceLocation) -> Address | Array | TrialInput:
        if isinstance(source, TrialInput):
            return source
        return (
            self.port(source, "out", what, place)[0] if isinstance(source, Node | Instance | Port | str) else as_value(source, what, place)
        )

    def input(self, *ports: Node | Instance | Port | str) -> None:
        """Says which ports get external input, in order (default: all of nodes without incoming projections)."""
        place = user_place()
        for port in ports:
            for address in self.all_ports(port, "in", "input", place):
                if address in self.explicit_inputs:
                    raise ModelError(f'{place}: input: {address.owner}["{address.name}"] is already an input; name it once')
                self.explicit_inputs.append(address)

    def shadow(self, source: Node | Instance | Port | str, target: Node | Instance | Port | str) -> None:
        """Gives a port what comes from outside to another one, too; in a trial there is no further input for it."""
        place = user_place()
        shadowed, source_type = self.port(source, "in", "shadow", place)
        shadowing, target_type = self.port(target, "in", "shadow", place)
        what = f'shadow {shadowed.owner}["{shadowed.name}"] -> {shadowing.owner}["{shadowing.name}"]'
        if source_type != target_type:
            raise ModelError(f"{place}: {what}: the first has type {source_type}, the second has type {target_type}; make them the same")
        if (shadowed, shadowing) in self.description.shadows:
            raise ModelError(f"{place}: {what}: it is given already, at {self.description.shadows[shadowed, shadowing]}; keep one")
        self.description.shadows[shadowed, shadowing] = place

    def output(self, *ports: Node | Instance | Port | str) -> None:
        """Says which ports make up the result of a trial, in order (default: all of nodes without outgoing projections)."""
        place = user_place()
        for port in ports:
            for address in self.all_ports(port, "out", "output", place):
                if address in self.explicit_outputs:
                    raise ModelError(f'{place}: output: {address.owner}["{address.name}"] is already an output; name it once')
                self.explicit_outputs.append(address)

    # Using

    def source(self, *, learning: bool = False) -> Source:
        """The model for the runtime: how to build its module, and its fingerprint; `learning`: for a module that learns."""
        return source_of_record(self.description, learning=learning)

    def may_learn(self) -> bool:
        """True if it was said how the model learns."""
        return self.learns is not None

    def add_remarks(self, compiled: Compiled) -> None:
        """Gives a compiled model what runs may warn of, and the lines where nodes were made."""
        if "trial" in self.description.schedule.ends and (reason := stays_finished(self.description)) is not None:
            compiled.later_trials.append(reason)
        elif has_forgotten_resets(self.description):
            compiled.before_later_trials.append(lambda: warn_of_forgotten_resets(self.description))
        if not compiled.plan.inputs:
            compiled.inputs.why_none = self.description.why_no_inputs()
        compiled.warns_of_missing_inputs = self.warns
        if self.warns:
            warn_of_single_steps(self.description)
            warn_of_early_reads(self.description)
        compiled.inputs.targets = self.description.only_targets()
        compiled.inputs.projected = frozenset(f"{held.target.owner}/{held.target.name}" for held in self.description.projections)
        compiled.plan.statics = list(self.description.statics())
        compiled.plan.starts_anew = list(nodes_that_start_anew(self.description))
        if compiled.plan.flags:
            compiled.reactions.places = dict(self.description.node_places())

    @staticmethod
    def from_ir(module: ModuleOp | str) -> ParsedModel:
        """A model from a module with a `cog.model`, or from its text; it can be run, but not added to."""
        return ParsedModel(module)

    def ir(self) -> ModuleOp:
        """The model as a new `cog` module, which prints as its text."""
        from cogir.frontend.emit.module import module_of
        from cogir.frontend.printed import printed

        return printed(module_of(self.description))

    def defaults(self) -> Mapping[str, Mapping[str, Any]]:
        """The values that parameters of functions have when none are given, by the paths of nodes and projections."""
        return defaults_of(self.description)

    def __reduce__(self) -> Any:
        raise CogirError(
            f'model "{self.name}": its Python functions cannot be pickled; send its text, str(model.ir()), which cogir.compile and '
            "Model.from_ir read (to copy a model, call the function that builds it again)"
        )

    def __repr__(self) -> str:
        """The name, the seed that generators without one of their own take, and how many nodes and projections there are."""
        seed = f"seed {self.streams.seed}{' (default)' * (self.streams.seed == 0)}"
        nodes, projections = counted(len(self.nodes), "node"), counted(len(self.projections), "projection")
        return f'<model "{self.name}", {seed}, {nodes}, {projections}>'
