"""
From a model to a native entry, through the object cache.

    fingerprint ──► cache ──► object code + plan ──► loaded
         └ not there: the `cog` module, all stages down to LLVM, machine code, into the cache ┘
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache

from cogir.backend.cache import Entry, ObjectCache, cache_key, open_cache
from cogir.backend.kernels import DeviceCode
from cogir.backend.llvm import LoadedObject
from cogir.callers import warn_by_name
from cogir.errors import CacheError
from cogir.garbage import count_as_old
from cogir.runtime.context import Context, NativeContext
from cogir.runtime.entry import NativeEntry
from cogir.runtime.explanation import Facts, Remark
from cogir.runtime.meter import SILENT
from cogir.runtime.options import Options, Source
from cogir.runtime.origin import changed
from cogir.runtime.parallel import Crew
from cogir.runtime.plan import Floats, Plan
from cogir.runtime.replicates import Job, NativeReplicates
from cogir.runtime.results import Progress
from cogir.runtime.sweeps.job import NativeSweep, NativeSweeper, SweepEngine, SweepJob
from cogir.runtime.versions import Folded, Version, Versions, folded_from


class NativeEngine:
    """Runs a model as machine code: whole runs in slices, or trial by trial."""

    is_on_gpu = False
    """True if searches, replicates and sweeps run on a GPU, whether it pays or not."""

    def __init__(
        self,
        plan: Plan,
        entry: NativeEntry,
        one_by_one: bool = False,
        code_for: Callable[[str, tuple[str, ...], bool, bool], tuple[Plan, LoadedObject]] | None = None,
        for_values: Callable[[Folded], tuple[Plan, NativeEntry]] | None = None,
        facts: Callable[[], Facts] | None = None,
    ):
        """
        `code_for` and `for_values` compile the model for another entry and for values of parameters, when that is asked for: the former
        with the name of the entry, the parameters that vary, whether all points of a sweep have the same random numbers, and whether traces
        are recorded.
        """
        self.plan = plan
        self.entry = entry
        self.one_by_one = one_by_one
        self.code_for = code_for
        self.for_values = for_values
        self.facts = facts
        """Facts about the code, found when they are asked for."""
        self.versions = Versions()
        self.replicates: NativeReplicates | None = None
        self.sweeps: dict[tuple[tuple[str, ...], bool, bool], NativeSweep] = {}
        """The code for sweeps, by the parameters that vary, whether random numbers are common, and whether traces are recorded."""
        self.crew = Crew()
        """The threads that help with searches, replicates and sweeps."""
        self.no_gpu = ""
        """Why there is no GPU for the model, if one was wished for."""

    def new_context(self, name: str | None, parent: Context | None) -> Context:
        """A new context, with the parameters of `parent` if there is one."""
        context = NativeContext(self.plan, name, parent if isinstance(parent, NativeContext) else None)
        context.start = self.entry.start
        return context

    def is_short(self, trials: int) -> bool:
        """True if a run of so many trials is known to be over in some milliseconds."""
        return self.entry.is_short(trials) and not self.one_by_one

    def run(self, context: Context, rows: Floats, out: Floats) -> Progress:
        """Runs as many trials as `out` has rows, cycling through `rows`, and writes their outputs to `out`."""
        assert isinstance(context, NativeContext)
        context.start = context.start or self.entry.start
        entry = self.entry
        version = self.versions.fitting(context) if self.versions.held else None
        if version is not None:
            version.runs += 1
            entry = version.entry
            context.forgotten |= version.forgotten
        try:
            return self.run_trials(entry, context, rows, out, version)
        finally:
            context.end_run()

    def run_trials(self, entry: NativeEntry, context: NativeContext, rows: Floats, out: Floats, version: Version | None) -> Progress:
        """The trials of a run, by an entry: that of the generic code, or that of a specialised version."""
        return entry.run(context, rows, out, self.one_by_one, self.crew)

    def specialise(self, context: NativeContext, keep: Sequence[str], only_results: bool = False) -> Version:
        """The version for the parameters that a context has now, but for those in `keep`; compiled if there is none yet."""
        folded = folded_from(context, keep, only_results)
        found = next((version for version in self.versions.held if version.folded == folded), None)
        if found is None:
            assert self.for_values is not None
            found = Version.of(folded, *self.for_values(folded))
            self.versions.add(found)
        return found

    def replicate(self, context: Context, job: Job) -> None:
        """Runs the replicates of a job that are not done yet, from where a context stands, which stays there."""
        code, begun = self.code_for_replicates(), self.begun(context)
        try:
            with self.crew.team() as team:
                code.run(begun, job, team)
        finally:
            begun.meter = SILENT

    def code_for_replicates(self) -> NativeReplicates:
        """Native code for replicates, compiled if there is none yet."""
        if self.replicates is None:
            assert self.code_for is not None
            plan, loaded = self.code_for("replicates", (), False, True)
            replicates = NativeReplicates(loaded.address("replicates"), loaded, bool(self.plan.traces))
            replicates.take_from(plan)
            self.replicates = replicates
        return self.replicates

    def remarks(self) -> Iterable[Remark]:
        """The remarks on the device on which the model runs, if one was asked for."""
        return [Remark("target", f"the CPU: {self.no_gpu}")] if self.no_gpu else []

    def begun(self, context: Context) -> NativeContext:
        """The context, or a copy that stands where the model begins if the context has not been started; not to be changed."""
        assert isinstance(context, NativeContext)
        if context.started:
            return context
        context.start = context.start or self.entry.start
        begun = context.beginning()
        assert isinstance(begun, NativeContext)
        begun.meter = context.meter
        return begun

    def sweeper(self, context: Context, job: SweepJob) -> SweepEngine:
        """The engine of a sweep that begins where a context stands, which stays there."""
        return self.native_sweeper(context, job)

    def native_sweeper(self, context: Context, job: SweepJob) -> NativeSweeper:
        """Native code for a sweep, compiled if there is none yet for what varies."""
        assert isinstance(context, NativeContext)
        assert self.code_for is not None
        varying = job.points.varying_parameters
        key = (varying, job.common, job.recording is not None)
        if key not in self.sweeps:
            plan, loaded = self.code_for("sweep", *key)
            sweeps = NativeSweep(loaded.address("sweep"), loaded, self.entry.start, job.recording is not None)
            sweeps.take_from(plan)
            self.sweeps[key] = sweeps
        return NativeSweeper(self.sweeps[key], context, job, self.crew)

    def signals(self, context: Context) -> dict[str, list[float]]:
        """The signals of the controllers as they stand."""
        assert isinstance(context, NativeContext)
        return context.signals()


@cache
def _compiler() -> Callable[[Source, Options], tuple[bytes, Plan]]:
    """The compiler, imported for the first model, and xDSL with it."""
    from cogir.runtime.build import build_object as build

    count_as_old()
    return build


def build_object(source: Source, options: Options) -> tuple[bytes, Plan]:
    """Machine code for a model, and its plan: the whole pipeline."""
    return _compiler()(source, options)


def compile_code(source: Source, options: Options) -> tuple[Plan, LoadedObject]:
    """The plan and the code of a model, from the cache if it is there."""
    source.must_compile()
    cache = usable_cache() if options.cache else None
    if cache is None:
        code, plan = build_object(source, options)
    else:
        entry, plan = from_cache(source, options, cache, lambda: as_entry(*build_object(source, options)))
        code = entry.code
    return plan, LoadedObject(code, (options.entry, "init"), {})


def compile_native(source: Source, options: Options) -> tuple[Plan, NativeEntry]:
    """The plan and the entry of a model."""
    plan, loaded = compile_code(source, options)
    return plan, NativeEntry(loaded.address("run"), loaded.address("init"), loaded, bool(plan.traces), plan.trial_work)


class Original:
    """A model as it was when its generic code was compiled, which runs in the same contexts as versions that are compiled later."""

    def __init__(self, source: Source, options: Options):
        self._source = source
        self._options = options
        self._structures: list[str | None] = []
        watched = source if source.structure is None else replace(source, structure=self._structure)
        self.plan, self.entry = compile_native(watched, options)
        if not self._structures:
            self._structure()

    def _structure(self) -> str | None:
        """The structure of the model now; the first one is that of the generic code."""
        found = self._source.structure() if self._source.structure is not None else None
        self._structures.append(found)
        return found

    def code_for(self, entry: str, varying: tuple[str, ...], common: bool, traced: bool) -> tuple[Plan, LoadedObject]:
        """The plan and the code of the model for another entry, on the CPU."""
        if self._structure() == self._structures[0]:
            traced = traced or not self.plan.traces  # without traces it is the same code
            options = replace(self._options, target="cpu", entry=entry, varying=varying, common=common, traced=traced)
            plan, loaded = compile_code(self._source, options)
            if plan.slots == self.plan.slots and plan.sizes == self.plan.sizes:
                return plan, loaded
        raise changed(entry, self._source.name)

    def kernels(
        self,
        compiler: Callable[[Source, Options], tuple[DeviceCode, Plan]],
        entry: str,
        varying: tuple[str, ...] = (),
        common: bool = False,
        folded: Folded | None = None,
    ) -> DeviceCode:
        """The kernels of the model for an entry, by a compiler of kernels."""
        if self._structure() == self._structures[0]:
            target = "cuda" if self._options.target == "cpu" else self._options.target
            options = replace(
                self._options, target=target, entry=entry, varying=varying, common=common, folded=folded, traced=entry == "run"
            )
            code, plan = compiler(self._source, options)
            if plan.slots == self.plan.slots and plan.sizes == self.plan.sizes:
                return code
        raise changed(entry, self._source.name)

    def facts(self) -> Facts:
        """Facts about the code of the model."""
        from cogir.runtime.build import facts

        if self._structure() != self._structures[0]:
            raise changed("explain", self._source.name)
        return facts(self._source, replace(self._options, target="cpu"))

    def version(self, folded: Folded) -> tuple[Plan, NativeEntry]:
        """The plan and the entry of the code with values folded in."""
        if self._structure() == self._structures[0]:
            found, entry = compile_native(self._source, replace(self._options, folded=folded))
            if found.slots == self.plan.slots and found.sizes == self.plan.sizes:
                return found, entry
        raise changed("specialise", self._source.name)


class DeviceWarning(UserWarning):
    """The GPU has failed, and the CPU goes on in its place (target "auto")."""


class CacheWarning(UserWarning):
    """The object cache cannot be used; models are compiled anew in each process."""


def usable_cache() -> ObjectCache | None:
    """The object cache; None, after a warning, if it cannot be used safely."""
    try:
        return open_cache()
    except CacheError as error:
        warn_by_name(f"{error}; without the cache, models are compiled again in each process", CacheWarning)
        return None


def plan_in(entry: Entry | None) -> Plan | None:
    """The plan that stands in an entry of the cache; None, so that the model is compiled anew, if there is none that can be read."""
    if entry is None:
        return None
    try:
        return Plan.from_json(entry.metadata["plan"])
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        return None


def as_entry(code: bytes, plan: Plan) -> tuple[Entry, Plan]:
    """Code as it stands in the cache, and its plan."""
    return Entry(code), plan


def from_cache(
    source: Source, options: Options, cache: ObjectCache, build: Callable[[], tuple[Entry, Plan]], *what: str
) -> tuple[Entry, Plan]:
    """
    Code and plan, found in the cache or built and put there. `what` tells apart kinds of code of the same model with the same options.

    Under the key of a model's structure stands code that serves all its numbers, if each of them has its place in the
    plan; else code stands under the key of the whole model.
    """
    numbers = structure_key = None
    if source.structure is not None and source.numbers is not None:
        structure = source.structure()
        if structure is None:
            return build()
        numbers = source.numbers()
        structure_key = cache_key("structure", structure, *options.key, *what)
        entry = cache.get(structure_key)
        plan = plan_in(entry)
        if entry is not None and plan is not None and plan.places(numbers):
            plan.fill(numbers)
            return entry, plan
    fingerprint = source.fingerprint()
    if fingerprint is None:
        return build()
    key = cache_key("model", fingerprint, *options.key, *what)
    entry = cache.get(key)
    plan = plan_in(entry)
    if entry is not None and plan is not None:
        return entry, plan
    entry, plan = build()
    shared = structure_key is not None and numbers is not None and plan.places(numbers)
    try:
        kept = Entry(entry.code, {**entry.metadata, "plan": plan.to_json()})
        cache.put(structure_key if shared and structure_key is not None else key, kept)
    except CacheError as error:
        warn_by_name(str(error), CacheWarning)
    return entry, plan
