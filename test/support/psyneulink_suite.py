"""
All cases of the differential suite by name.
"""

from __future__ import annotations

from support import (
    psyneulink_cases_control,
    psyneulink_cases_functions,
    psyneulink_cases_graph,
    psyneulink_cases_inputs,
    psyneulink_cases_mechanisms,
    psyneulink_cases_time,
)
from support.psyneulink_cases import Case

MODULES = (
    psyneulink_cases_mechanisms,
    psyneulink_cases_functions,
    psyneulink_cases_graph,
    psyneulink_cases_inputs,
    psyneulink_cases_control,
    psyneulink_cases_time,
)
CASES: dict[str, Case] = {name: case for module in MODULES for name, case in module.CASES.items()}
