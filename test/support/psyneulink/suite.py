"""All cases of the differential suite by name."""

from __future__ import annotations

from support.psyneulink import cases_control, cases_em, cases_functions, cases_graph, cases_inputs, cases_mechanisms, cases_time
from support.psyneulink.cases import Case

MODULES = (cases_mechanisms, cases_functions, cases_graph, cases_inputs, cases_control, cases_time, cases_em)
CASES: dict[str, Case] = {name: case for module in MODULES for name, case in module.CASES.items()}
