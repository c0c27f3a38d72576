"""
What of a Composition compiles, what does not, and why.
"""

from __future__ import annotations

import html
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from cogir.errors import CogirError
from cogir.frontend.compile import source_of
from cogir.psyneulink.execution.short_runs import short_runs_of
from cogir.psyneulink.importer.composition import CompositionImporter, analyze, imported
from cogir.psyneulink.importer.imported import Imported
from cogir.psyneulink.importer.learned_matrices import learning_nodes
from cogir.psyneulink.importer.mechanism_classes import write_mechanism
from cogir.psyneulink.importer.survey import Survey
from cogir.psyneulink.importer.unmodified import check_mechanism
from cogir.psyneulink.importer.unread_parameters import LEARNING_MECHANISMS
from cogir.psyneulink.reader import Reader, UnsupportedFeature
from cogir.psyneulink.state.log_rules import Placed
from cogir.psyneulink.state.logged_values import logged_in


@dataclass(frozen=True)
class Finding:
    """A component, and why it does not compile; None if it does."""

    component: str
    kind: str
    reason: str | None
    remedy: str | None = None


@dataclass(frozen=True)
class Explanation:
    """The findings about each component. True if all of the Composition compiles."""

    name: str
    findings: tuple[Finding, ...]
    short_runs: str = ""
    """The calls that stayed in PsyNeuLink because compiling takes longer, if there were some."""

    def __bool__(self) -> bool:
        return all(finding.reason is None for finding in self.findings)

    def __str__(self) -> str:
        width = max((len(finding.component) for finding in self.findings), default=0)
        lines = [f"{self.name}: {'compiles' if self else 'runs in PsyNeuLink'}"]
        for finding in self.findings:
            said = "compiles" if finding.reason is None else f"does not compile: {finding.reason}; {finding.remedy}"
            lines.append(f"  {finding.component:{width}}  {finding.kind}: {said}")
        if self.short_runs:
            lines.append(f"  {self.short_runs}")
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{html.escape(f.component)}</td><td>{html.escape(f.kind)}</td>"
            f"<td>{'compiles' if f.reason is None else html.escape(f.reason)}</td><td>{html.escape(f.remedy or '')}</td></tr>"
            for f in self.findings
        )
        short = f"<p>{html.escape(self.short_runs)}</p>" if self.short_runs else ""
        return f"<table><tr><th>{html.escape(self.name)}</th><th></th><th></th><th>what to do</th></tr>{rows}</table>{short}"


def explain(component: Any) -> Explanation:
    """Each part of a Composition, and whether it compiles; for one that does not, the reason and the remedy. Or of one Mechanism."""
    if hasattr(component, "input_CIM"):
        return explain_composition(component)
    if hasattr(component, "input_ports") and hasattr(component, "function"):
        return Explanation(component.name, (explain_mechanism(component, Reader(None), _of_input),))
    raise CogirError(f"explain: {component!r:.60} is a {type(component).__name__}; give it a Composition, or a Mechanism")


def explain_composition(composition: Any) -> Explanation:
    """All nodes of a Composition, and the Composition itself where these compile."""
    analyze(composition)
    reader = Reader(composition.default_execution_id)
    importer = CompositionImporter(Survey(composition), reader)
    idle = learning_nodes(composition)
    findings: list[Finding] = []
    for node in importer.mechanisms:
        if hasattr(node, "input_CIM"):
            findings.extend(explain_composition(node).findings)
        else:
            findings.append(explain_mechanism(node, reader, importer.afferents, is_idle=node in idle))
    if all(finding.reason is None for finding in findings):
        try:
            found = imported(composition, observed=True)
            check_logs(found)
            source_of(found.model).build()  # which compiles Python functions
        except CogirError as error:
            findings.append(_refused(composition.name, type(composition).__name__, error))
    if any(type(node).__name__ in LEARNING_MECHANISMS for node in idle):
        findings.append(explain_learning(composition))
    return Explanation(composition.name, tuple(findings), str(short_runs_of(composition) or ""))


def explain_learning(composition: Any) -> Finding:
    """The finding about `learn` in Python mode."""
    kind = "learn in Python mode"
    try:
        source_of(imported(composition, observed=True, learns=True).model).build()
    except CogirError as error:
        return _refused(composition.name, kind, error)
    return Finding(composition.name, kind, None)


def explain_mechanism(mechanism: Any, reader: Reader, afferents: Callable[[Any], list[Any]], is_idle: bool = False) -> Finding:
    """The finding about a Mechanism; `afferents`: the Projections to a port that count; `is_idle`: only learning executes it."""
    kind = type(mechanism).__name__
    try:
        check_mechanism(mechanism)
        write_mechanism(mechanism, reader, afferents, is_idle=is_idle)
    except CogirError as error:
        return _refused(mechanism.name, kind, error)
    return Finding(mechanism.name, kind, None)


def check_logs(imported: Imported) -> None:
    """Refuses what is logged and only PsyNeuLink can log."""
    Placed(imported, imported.composition.default_execution_id).rules(logged_in(imported.survey))


def _of_input(port: Any) -> list[Any]:
    """The Projections to an InputPort, from wherever they come; what modulates a Mechanism is seen in its Composition."""
    return list(port.path_afferents) if type(port).__name__ == "InputPort" else []


def _refused(name: str, kind: str, error: CogirError) -> Finding:
    if isinstance(error, UnsupportedFeature):
        said = error.feature if name in error.component else f"{error.component}: {error.feature}"
        return Finding(name, kind, said, error.remedy)
    said, _, remedy = str(error).partition("; ")
    return Finding(name, kind, said, remedy)
