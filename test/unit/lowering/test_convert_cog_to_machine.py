"""
Stage `machine` against the interpreter of `cog`: the same outputs, the same state and the same draws, to the bit.

Every model runs twice in a row, several trials each, so that what is remembered between trials and runs is compared too.
"""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from xdsl.dialects import func

sys.path.append(str(Path(__file__).parents[2] / "support"))

from machine import Machine, differences, lowered, parse, same_bits

from cogir.analysis.signatures import declared_updates
from cogir.interpreters.cog import CogInterpreter
from cogir.interpreters.cog_inputs import input_rows

pytestmark = pytest.mark.sampled(2)

NETWORK = """
func.func private @toll(%level: f64, %before: f64, %sum: f64) -> (f64, f64) {{
  %change = arith.subf %level, %before : f64
  %next = arith.addf %sum, %level : f64
  %cost = arith.addf %change, %next : f64
  func.return %cost, %next : f64, f64
}}
func.func private @square(%x: f64) -> f64 {{
  %y = arith.mulf %x, %x : f64
  func.return %y : f64
}}
cog.model @network {{
  cog.node @noisy (%in: tensor<2xf64>) params(%spread: f64 = 1.0) random(%r: !rng.state<mt19937> = @noise)
      -> (value: tensor<2xf64> = dense<0.0>) {{
    %draws, %next = rng.normal %r : !rng.state<mt19937> -> tensor<2xf64>
    %empty = tensor.empty() : tensor<2xf64>
    %sum = linalg.generic {{indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>,
        affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}}
        ins(%in, %draws, %spread : tensor<2xf64>, tensor<2xf64>, f64) outs(%empty : tensor<2xf64>) {{
    ^bb0(%x: f64, %n: f64, %s: f64, %out: f64):
      %scaled = arith.mulf %n, %s : f64
      %moved = arith.addf %x, %scaled : f64
      linalg.yield %moved : f64
    }} -> tensor<2xf64>
    cog.yield %sum random(%next)
  }}
  cog.node @decision (%evidence: tensor<1xf64>) params(%rate: f64 = 0.5, %threshold: f64 = 2.0) states(%x: f64 = 0.25)
      -> (value: f64 = 0.0, bound: f64 = 0.0) until_finished max 7 {{
    %zero = arith.constant 0 : index
    %one = arith.constant 1.0 : f64
    %e = tensor.extract %evidence[%zero] : tensor<1xf64>
    %step = arith.mulf %e, %rate : f64
    %next = arith.addf %x, %step : f64
    %bound = arith.addf %threshold, %one : f64
    %done = arith.cmpf ogt, %next, %bound : f64
    cog.yield %next, %bound states(%next) finished(%done)
  }}
  cog.node @objective (%in: f64 product) -> (value: f64 = 0.0) {{
    cog.yield %in
  }}
  cog.input @noisy
  cog.project @noisy -> @decision matrix dense<[[1.0], [-2.0]]> : tensor<2x1xf64>
  cog.project @back @decision["value"] -> @decision recurrent (%v: f64) {{
    %half = arith.constant 0.5 : f64
    %scaled = arith.mulf %v, %half : f64
    %vector = tensor.from_elements %scaled : tensor<1xf64>
    cog.yield %vector
  }}
  cog.project @decision["value"] -> @objective
  cog.project @learned @decision["bound"] -> @objective (%v: f64) params(%k: f64 = 3.0) states(%before: f64 = 1.0) {{
    %scaled = arith.mulf %v, %k : f64
    %sum = arith.addf %scaled, %before : f64
    cog.yield %sum states(%scaled)
  }}
  cog.modulate @decision["bound"] -> @noisy["spread"] multiply
  cog.modulate @objective -> @learned["k"] add
  cog.output @objective
  cog.output @decision["value"]
  {control}
  cog.schedule {schedule}
}}
rng.stream @noise mt19937 seed 3
rng.stream @ties mt19937 seed 5
"""

SCHEDULES = {
    "program": """layers [[@noisy], [@decision], [@objective]] {
      cog.program { cog.step [@noisy] cog.step [@decision] cog.step [@objective] }
      cog.reset @decision when { %c = cog.at_trial 2 in run cog.condition %c }
    }""",
    "program, nodes in one step": """layers [[@noisy, @decision, @objective]] {
      cog.program { cog.step [@noisy, @decision, @objective] cog.step [@objective, @decision, @noisy] }
    }""",
    "until finished": """layers [[@noisy], [@decision], [@objective]] {
      cog.when @decision { %c = cog.always cog.condition %c }
      cog.reset @decision states ["x"] when { %c = cog.at_trial 3 in run cog.condition %c }
      cog.terminate trial {
        %finished = cog.when_finished @decision
        %late = cog.after_n_passes 3 in trial
        %end = cog.any %finished, %late
        cog.condition %end
      }
    }""",
    "one layer, scanned again": """layers [[@decision, @noisy, @objective]] {
      cog.when @noisy { %c = cog.after_n_calls @objective 1 in trial cog.condition %c }
      cog.when @objective {
        %calls = cog.every_n_calls @decision 1
        %first = cog.n_when %calls 9
        %later = cog.not %first
        %any = cog.any %later, %calls
        cog.condition %any
      }
      cog.when @decision { %c = cog.always cog.condition %c }
      cog.terminate trial { %c = cog.after_n_passes 3 in trial cog.condition %c }
    }""",
    "run ends": """layers [[@noisy], [@decision], [@objective]] {
      cog.when @objective { %c = cog.just_ran @decision cog.condition %c }
      cog.when @decision { %c = cog.threshold @noisy["value"][0] >= -0.5 cog.condition %c }
      cog.terminate trial { %c = cog.after_n_passes 2 in trial cog.condition %c }
      cog.terminate run { %c = cog.at_trial 4 in run cog.condition %c }
    }""",
}

CONTROLS = {
    "none": "",
    "costs and ties": """
      cog.grid_search @control after minimize @objective ties random @ties {
        cog.signal @rate levels [0.0, 1.0, 2.0, 1.0] initial 1.0 cost intensity @square clip
        cog.signal @spread levels [1.0, 3.0] initial 1.0 cost adjustment @square cost duration @square
      }
      cog.modulate @control["rate"] -> @decision["rate"] multiply
      cog.modulate @control["spread"] -> @learned["k"] override""",
    "a sum of costs, kept": """
      cog.grid_search @control after maximize @objective keep values {
        cog.signal @rate levels [0.0, 1.0, 2.0, 1.0] initial 1.0 cost total @toll from 0.5 clip
        cog.signal @spread levels [1.0, 3.0] initial 1.0 cost total @toll
      }
      cog.modulate @control["rate"] -> @decision["rate"] multiply
      cog.modulate @control["spread"] -> @learned["k"] override""",
    "estimates": """
      cog.grid_search @control before maximize @decision["value"] trials 2 estimates 3 seed_base 7 {
        cog.feature 0 from @noisy
        cog.signal @bound levels [0.0, 1.0, 2.0, 1.0]
      }
      cog.modulate @control["bound"] -> @decision["threshold"] add""",
    "ties with the same seeds": """
      cog.grid_search @control before maximize @decision["value"] ties random @ties estimates 2 seeds same seed_base 7 {
        cog.signal @bound levels [0.0, 1.0, 2.0, 1.0]
      }
      cog.modulate @control["bound"] -> @decision["threshold"] add""",
}

INPUTS = {"noisy": [[1.0, 2.0], [-0.0, 3.0], [0.5, -1.0]]}


def compare(text: str, inputs: dict[str, Any], trials: int = 6) -> Machine:
    """Runs a model as `cog` and as `machine`, twice, and compares all that can be seen."""
    module = parse(text)
    reference = CogInterpreter(module)
    machine = Machine(lowered(module, save_values=True))
    rows = input_rows(reference.graph, inputs)
    for _ in range(2):
        expected, got = reference.run(inputs, trials), machine.run(rows, trials)
        assert len(got) == len(expected)
        for trial, (left, right) in enumerate(zip(got, expected, strict=True)):
            assert all(same_bits(a, b) for a, b in zip(left, right, strict=True)), f"trial {trial}: {left} instead of {right}"
        assert differences(machine, reference.records) == []
        for name, search in reference.trials[-1].searches.items():
            assert same_bits(machine.records()[f"{name}/values"], search.values)
    return machine


@pytest.mark.parametrize("control", CONTROLS)
@pytest.mark.parametrize("schedule", SCHEDULES)
def test_machine_equals_model(schedule: str, control: str):
    compare(NETWORK.format(schedule=SCHEDULES[schedule], control=CONTROLS[control]), INPUTS)


NESTED = """
cog.model @inner {{
  cog.node @integrate (%in: f64) params(%rate: f64 = 0.5) states(%x: f64 = 0.25) -> (value: f64 = 0.0) {{
    %step = arith.mulf %in, %rate : f64
    %next = arith.addf %x, %step : f64
    cog.yield %next states(%next)
  }}
  cog.node @scale (%in: f64) params(%gain: f64 = 1.5) -> (value: f64 = 0.0) {{
    %scaled = arith.mulf %in, %gain : f64
    cog.yield %scaled
  }}
  cog.input @integrate
  cog.project @integrate -> @scale
  cog.modulate @integrate -> @scale["gain"] add
  cog.output @scale
  cog.output @integrate
  {inner_control}
  cog.schedule {inner}
}}
cog.model @middle {{
  cog.node @relay (%in: f64) -> (value: f64 = 0.5) {{ cog.yield %in }}
  cog.instance @deep of @inner
  cog.input @relay
  cog.project @relay -> @deep
  cog.output @deep["scale"]
  cog.schedule layers [[@relay], [@deep]] {{ cog.program {{ cog.step [@relay] cog.step [@deep] }} }}
}}
cog.model @outer {{
  cog.node @source (%in: f64) -> (value: f64 = 0.0) {{ cog.yield %in }}
  cog.instance @left of @inner
  cog.instance @right of @middle
  cog.node @sum (%in: f64) -> (value: f64 = 0.0) {{ cog.yield %in }}
  cog.input @source
  cog.project @source -> @left
  cog.project @left["integrate"] -> @right
  cog.project @left["scale"] -> @sum
  cog.project @right -> @sum
  cog.modulate @source -> @left["integrate/rate"] multiply
  cog.modulate @left["scale"] -> @right["deep/integrate/rate"] override
  cog.output @sum
  cog.output @left["integrate/value"]
  {outer_control}
  cog.schedule {outer}
}}
rng.stream @ties mt19937 seed 5
"""

INNER = {
    "program": "layers [[@integrate], [@scale]] { cog.program { cog.step [@integrate] cog.step [@scale] } }",
    "passes": """layers [[@integrate], [@scale]] {
      cog.when @scale { %c = cog.every_n_calls @integrate 2 cog.condition %c }
      cog.reset @integrate when { %c = cog.at_trial 2 in run cog.condition %c }
    }""",
}
OUTER = {
    "program": """layers [[@source], [@left], [@right], [@sum]] {
      cog.program { cog.step [@source] cog.step [@left] cog.step [@right] cog.step [@sum] cog.step [@source, @left, @right] }
    }""",
    "passes": """layers [[@source, @left, @right], [@sum]] {
      cog.when @sum { %c = cog.every_n_calls @left 2 cog.condition %c }
      cog.when @left { %c = cog.always cog.condition %c }
      cog.when @right { %c = cog.always cog.condition %c }
      cog.reset @left when { %c = cog.at_trial 3 in run cog.condition %c }
    }""",
}
NESTED_CONTROLS = {
    "none": ("", ""),
    "inside": (
        """cog.grid_search @search before minimize @scale ties random @ties { cog.signal @rate levels [0.5, 1.0, 1.5] }
           cog.modulate @search["rate"] -> @integrate["rate"] multiply""",
        "",
    ),
    "outside": (
        "",
        """cog.grid_search @search after maximize @sum { cog.signal @rate levels [0.5, 1.0, 1.5] }
           cog.modulate @search["rate"] -> @left["integrate/rate"] multiply""",
    ),
    "of an instance": (
        "",
        """cog.grid_search @search of @inner after maximize @scale trials 2 {
             cog.feature 0 from @source
             cog.signal @rate levels [0.5, 1.0, 1.5]
           }
           cog.modulate @search["rate"] -> @left["integrate/rate"] multiply""",
    ),
}


@pytest.mark.parametrize("control", NESTED_CONTROLS)
@pytest.mark.parametrize("outer", OUTER)
@pytest.mark.parametrize("inner", INNER)
def test_models_in_models(inner: str, outer: str, control: str):
    inside, outside = NESTED_CONTROLS[control]
    text = NESTED.format(inner=INNER[inner], outer=OUTER[outer], inner_control=inside, outer_control=outside)
    compare(text, {"source": [1.0, 0.5, 2.0]}, 4)


def test_a_model_that_is_no_instance_is_simulated_from_its_initial_state():
    text = """
    cog.model @forecast {
      cog.node @unit (%in: f64) params(%gain: f64 = 2.0) states(%x: f64 = 1.0) -> (value: f64 = 0.0) {
        %scaled = arith.mulf %in, %gain : f64
        %next = arith.addf %x, %scaled : f64
        cog.yield %next states(%next)
      }
      cog.input @unit
      cog.output @unit
      cog.schedule layers [[@unit]] { cog.program { cog.step [@unit] } }
    }
    cog.model @agent {
      cog.node @unit (%in: f64) params(%gain: f64 = 1.0) -> (value: f64 = 0.0) {
        %scaled = arith.mulf %in, %gain : f64
        cog.yield %scaled
      }
      cog.input @unit
      cog.output @unit
      cog.grid_search @control of @forecast before maximize @unit trials 2 { cog.signal @gain levels [-1.0, 3.0, 0.5] }
      cog.modulate @control["gain"] -> @unit["gain"] multiply
      cog.schedule layers [[@unit]] { cog.program { cog.step [@unit] } }
    }
    """
    machine = compare(text, {"unit": [1.0, -1.0]}, 3)
    # 1 + 2 * gain * in, twice: for in = 1 and gain = -1, 3, 0.5 that is -3, 13, 3.
    assert machine.records()["control/values"].tolist() == [-3.0, 13.0, 3.0]


def test_too_many_passes_give_a_status_and_leave_the_limit_to_the_run():
    text = """
    cog.model @endless {
      cog.node @a (%in: f64) -> (value: f64 = 0.0) { cog.yield %in }
      cog.input @a
      cog.output @a
      cog.schedule layers [[@a]] { cog.terminate trial { %c = cog.threshold @a["value"] > 0.0 cog.condition %c } }
    }
    """
    machine = Machine(lowered(parse(text)))
    assert machine.layout["limit:passes"].of(machine.pi) == 10_000_000
    machine.layout["limit:passes"].of(machine.pi)[...] = 5
    assert machine.trial([-1.0]) is None
    assert machine.layout.nodes[machine.status - 1] == "schedule of endless"


def test_a_limit_in_a_simulation_is_reported_too():
    text = """
    cog.model @endless {
      cog.node @a (%in: f64) params(%gain: f64 = 1.0) -> (value: f64 = 0.0) {
        %scaled = arith.mulf %in, %gain : f64
        cog.yield %scaled
      }
      cog.input @a
      cog.output @a
      cog.grid_search @control before maximize @a { cog.signal @gain levels [1.0, -1.0] }
      cog.modulate @control["gain"] -> @a["gain"] multiply
      cog.schedule layers [[@a]] { cog.terminate trial { %c = cog.threshold @a["value"] > 0.0 cog.condition %c } }
    }
    """
    machine = Machine(lowered(parse(text)))
    machine.layout["limit:passes"].of(machine.pi)[...] = 5
    # The trial itself ends after one pass; only the simulated trial with gain -1 never does.
    assert machine.trial([1.0]) is None
    assert machine.status == 1


def test_executions_stop_at_a_limit_that_can_be_changed():
    machine = Machine(lowered(parse(NETWORK.format(schedule=SCHEDULES["program"], control=""))))
    limit = machine.layout["decision/limit:executions"]
    assert limit.of(machine.pi) == 7
    machine.layout["decision/param:threshold"].of(machine.pf)[...] = 1e9
    limit.of(machine.pi)[...] = 1
    machine.trial([[0.0, -1.0]])
    once = machine.records()["decision/state:x"].copy()
    other = Machine(lowered(parse(NETWORK.format(schedule=SCHEDULES["program"], control=""))))
    other.layout["decision/param:threshold"].of(other.pf)[...] = 1e9
    other.trial([[0.0, -1.0]])
    assert once != other.records()["decision/state:x"]


def test_parameters_and_initial_values_act_without_compiling_again():
    text = NETWORK.format(schedule=SCHEDULES["program"], control="")
    reference, machine = CogInterpreter(parse(text)), Machine(lowered(parse(text)))
    for path, value in {"decision/param:rate": -0.25, "decision/initial:state:x": 4.0, "learned/param:k": 0.5}.items():
        reference.parameters[path] = value
        machine.layout[path].of(machine.pf)[...] = value
    reference.restart()
    machine.sf, machine.si = machine.init(machine.pf, machine.pi)
    rows = input_rows(reference.graph, INPUTS)
    assert np.array_equal(np.ravel(machine.run(rows, 4)), np.ravel(reference.run(INPUTS, 4)))


def crowd(nodes: int) -> str:
    """A chain of logistic-like units, all with the same body."""
    units = "".join(
        f"""cog.node @u{i} (%in: tensor<2xf64>) params(%gain: f64 = {i}.5, %on: i1 = {"true" if i % 2 else "false"})
                -> (value: tensor<2xf64> = dense<0.0>) {{
              %zero = arith.constant 0 : index
              %x = tensor.extract %in[%zero] : tensor<2xf64>
              %scaled = arith.mulf %x, %gain : f64
              %chosen = arith.select %on, %scaled, %x : f64
              %out = tensor.insert %chosen into %in[%zero] : tensor<2xf64>
              cog.yield %out
            }}
         """
        for i in range(nodes)
    )
    links = "".join(
        f"cog.project @u{i} -> @u{i + 1} matrix dense<[[0.5, {i}.0], [0.0, 0.25]]> : tensor<2x2xf64>\n" for i in range(nodes - 1)
    )
    steps = " ".join(f"cog.step [@u{i}]" for i in range(nodes))
    layers = ", ".join(f"[@u{i}]" for i in range(nodes))
    return f"""cog.model @crowd {{ {units} {links} cog.input @u0  cog.output @u{nodes - 1}
               cog.schedule layers [{layers}] {{ cog.program {{ {steps} }} }} }}"""


def test_a_kind_of_node_that_is_common_becomes_one_function():
    compare(crowd(6), {"u0": [[0.5, -1.0]]}, 2)
    modules = {nodes: lowered(parse(crowd(nodes))) for nodes in (6, 7, 8)}
    sizes = {nodes: len(list(module.walk())) for nodes, module in modules.items()}
    # Per unit: its window of each parameter buffer (2; the matrix lies in it), its call, the store of its port.
    assert sizes[8] - sizes[7] == sizes[7] - sizes[6] == 4
    assert "func.func private @u1_node" in str(modules[8])


def test_nodes_that_receive_differently_share_their_body_alone():
    # One node in two receives through two matrices: there are four of a kind with one matrix, and three with two.
    extra = "".join(f"cog.project @u0 -> @u{i} matrix dense<[[0.5, 0.0], [1.0, 0.25]]> : tensor<2x2xf64>\n" for i in (3, 5, 7))
    text = crowd(8).replace("cog.input @u0", f"{extra} cog.input @u0")
    compare(text, {"u0": [[0.5, -1.0]]}, 2)
    names = {op.sym_name.data for op in lowered(parse(text)).ops if isinstance(op, func.FuncOp)}
    assert {"u1_node", "u0_body", "project_2x2"} <= names


def test_states_of_a_shared_body_are_updated_in_place():
    unit = """cog.node @{name} (%in: tensor<1xf64>) states(%x: tensor<1xf64> = dense<1.0>) -> (value: tensor<1xf64> = dense<0.0>) {{
                %zero = arith.constant 0 : index
                %old = tensor.extract %x[%zero] : tensor<1xf64>
                %new = arith.mulf %old, %old : f64
                %next = tensor.insert %new into %x[%zero] : tensor<1xf64>
                cog.yield %x states(%next)
              }}
           """
    names = [f"u{i}" for i in range(4)]
    text = f"""cog.model @memories {{ {"".join(unit.format(name=name) for name in names)} cog.input @u0 cog.output @u3
                 cog.schedule layers [[{", ".join(f"@{name}" for name in names)}]] {{
                   cog.program {{ cog.step [{", ".join(f"@{name}" for name in names)}] }} }} }}"""
    compare(text, {"u0": [[0.5]]}, 3)
    module = lowered(parse(text))
    shared = next(op for op in module.ops if isinstance(op, func.FuncOp) and op.sym_name.data == "u0_body")
    assert declared_updates(shared) == {1: 1}


def test_draws_of_a_search_do_not_advance_the_generators():
    text = NETWORK.format(schedule=SCHEDULES["program"], control=CONTROLS["costs and ties"])
    with_search, without = Machine(lowered(parse(text))), Machine(lowered(parse(NETWORK.format(schedule=SCHEDULES["program"], control=""))))
    for machine in (with_search, without):
        machine.trial([[1.0, 2.0]])
    assert np.array_equal(with_search.records()["noisy/random:r"], without.records()["noisy/random:r"])


def test_only_counters_that_a_condition_reads_are_kept():
    layout = Machine(lowered(parse(NETWORK.format(schedule=SCHEDULES["until finished"], control="")))).layout
    counters = [slot.path for slot in layout.in_buffer("si")]
    assert sorted(counters) == [
        "clock:pass:trial",
        "clock:trial:run",
        "decision/finished",
        "objective/calls_of:decision",
        "status",
    ]


@pytest.mark.parametrize("schedule", ["program", "until finished"])
def test_the_same_module_gives_the_same_text(schedule: str):
    text = NETWORK.format(schedule=SCHEDULES[schedule], control=CONTROLS["costs and ties"])
    assert str(lowered(parse(text))) == str(lowered(parse(text)))


def test_the_stage_reads_back_from_its_text():
    module = lowered(parse(NETWORK.format(schedule=SCHEDULES["until finished"], control=CONTROLS["estimates"])))
    again = parse(str(module))
    assert str(again) == str(module)
    assert Machine(again).layout == Machine(module).layout
