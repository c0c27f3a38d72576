"""
Parameters that keep their values in all simulations of a search; by itself PsyNeuLink keeps none.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cogir.psyneulink.importer.survey import Survey


def kept_of_simulations(survey: Survey) -> Iterator[tuple[Any, str]]:
    """
    Components of a Composition, each with the name of a Parameter of which the values in all simulations are kept; without the results of
    simulations, which native searches keep, too.
    """
    for component in survey.components:
        for parameter in getattr(component, "parameters", ()):
            if parameter.name != "simulation_results" and parameter.retain_old_simulation_data and parameter.stateful:
                yield component, parameter.name
