"""Numbers that pages give for limits, sizes and steps are those of the code."""

import inspect

import pytest
from support.pages import page

import cogir
from cogir import limits
from cogir.analysis import lane_loop, sparsity
from cogir.analysis.equivalence import evaluate, over_reals
from cogir.analyze import boxes, output_ranges, refine_space, sensitivities, side_by_side
from cogir.dialects.cog.node import NodeOp
from cogir.labelled import drawing
from cogir.lowering.gradient import arrays, differentiate
from cogir.lowering.machine import assign
from cogir.lowering.pruning import prune_search
from cogir.pyfunc import expressions
from cogir.runtime import meter, parallel, recording
from cogir.runtime.sweeps import axes, job, ranges, reductions, store
from cogir.study import pictures, problem, recovery, search, surface
from cogir.tools import cog_play, play_process
from cogir.transforms import fill_lanes, fold_parameters, open_points, rare_lanes, step_tables

MIB = 2**20

NUMBERS = [
    ("analysis.md", "and at most 4,096", boxes.MOST_BOXES, 4096),
    ("analysis.md", "each varies by a tenth to both sides", sensitivities.AROUND, 0.1),
    ("analysis.md", "iteration by iteration up to 500 of them", output_ranges.PATIENT.unroll, 500),
    ("equivalence.md", "Loops with at most 1024 iterations are unrolled", evaluate.UNROLLED, 1024),
    ("equivalence.md", "more than 3000 terms are not multiplied out", over_reals.MOST_TERMS, 3000),
    ("equivalence.md", "runs both models for six trials", side_by_side.TRIALS, 6),
    ("fits.md", "The default is 60,000 for each condition", problem.SIMULATIONS, 60_000),
    ("fits.md", "20 bins between quantiles", problem.BINS, 20),
    ("fits.md", "40 points for each parameter (Sobol), with a thirtieth of the simulations (2,000", search.DESIGN, 40),
    ("fits.md", "with a thirtieth of the simulations (2,000 at least", (search.SEARCH, search.LEAST_TRIALS), (30, 2000)),
    ("fits.md", "with a third of the simulations (2,000 at least", search.REGION, 3),
    ("fits.md", "evolve over 10 generations", search.GENERATIONS, 10),
    ("fits.md", "by all simulations with 8 new seeds, twice", search.JUDGES, 8),
    ("fits.md", "falls by up to 4.5 is found", surface.RADIUS**2 / 2, 4.5),
    ("fits.md", "degree 3 (2 for more than 6 parameters)", surface.MOST_CUBIC, 6),
    ("fits.md", "a panel for each condition, up to 30", pictures.PANELS, 30),
    ("fits.md", "the inner 70 % between the bounds", 1 - 2 * recovery.MARGIN, pytest.approx(0.7)),
    ("fits.md", "a tenth of the trials or more have only the floor", search.FAILED, 0.1),
    ("functions.md", "comprehensions of up to 16 items", expressions.MAX_ITEMS, 16),
    ("functions.md", "1,048,576 pairs", arrays.MOST_PAIRS, 1_048_576),
    ("functions.md", "loops of at most 64 elements along an axis", differentiate.MOST_ITERATIONS, 64),
    ("recurrent.md", "unrolled for the derivative, up to 64 of them", differentiate.MOST_ITERATIONS, 64),
    ("refinement.md", "more than 64 boxes of one guarantee", refine_space.MOST_BOXES, 64),
    ("replicates.md", "for all 48 lanes", fill_lanes.LANES, 48),
    ("replicates.md", "each loop-carried value has at most 16 elements", lane_loop.SMALL, 16),
    ("replicates.md", "a table of 65,536 entries", step_tables.CAPACITY, 65_536),
    ("replicates.md", "by blocks\nof 8 lanes", rare_lanes.WIDTH, 8),
    ("running.md", "(nested at most 100 deep)", limits.DEEPEST_CONDITION, 100),
    ("running.md", "at most `max_executions_before_finished` times\n(default 1000)", NodeOp.DEFAULT_MAX_EXECUTIONS, 1000),
    ("running.md", "default: 10,000,000 passes in a trial", assign.MAX_PASSES, 10_000_000),
    ("running.md", "longer than starting them (2 ms)", parallel.PAYS_SECONDS, 0.002),
    ("running.md", "Calls that take longer than two seconds show a bar", meter.SHOWN_AFTER, 2.0),
    ("c.md", "(`limit:passes`, 10\nmillion", assign.MAX_PASSES, 10_000_000),
    ("searches.md", "Grids of fewer than 32 points are unchanged", open_points.FEWEST_POINTS, 32),
    ("searches.md", "boxes that take 3 % of the work", round(100 / prune_search.SHARE), 3),
    ("specialisation.md", "fewer than 64 elements, more than 65,536", (sparsity.SMALL, sparsity.LARGEST), (64, 65_536)),
    ("specialisation.md", "other arrays of more than 64 elements", fold_parameters.LARGE, 64),
    ("specialisation.md", "more than 64 different sets of parameters", fold_parameters.MANY, 64),
    ("sweeps.md", "two chunks of replicates (16 MiB each)", job.CHUNK_BYTES, 16 * MIB),
    ("sweeps.md", "for more than 2^27", reductions.MOST_KEPT, 2**27),
    ("sweeps.md", "a range of points of about half a second", ranges.TASK_SECONDS, 0.5),
    ("sweeps.md", "no more than eight: `stimulus[0]`", axes.MOST_COORDINATES, 8),
    ("sweeps.md", "after an hour", store.PARTIAL_SECONDS, 3600.0),
    ("tools.md", "must arrive within 10 seconds", cog_play.ARRIVAL, 10.0),
    ("tools.md", "of more than 32 connections", cog_play.MOST_CONNECTIONS, 32),
    ("traces.md", "takes at most 1 GiB in all", recording.DEFAULT_BYTES, 1024 * MIB),
    ("traces.md", "writes into a small memory (4 MiB)", 8 * recording.FIRST_WORDS, 4 * MIB),
    ("traces.md", "up to ten of them", drawing.LEGEND, 10),
]
"""Page, words that hold the number, value in the code, value on the page."""


@pytest.mark.parametrize(("name", "words", "code", "said"), NUMBERS, ids=[f"{name}: {words}" for name, words, *_ in NUMBERS])
def test_numbers(name: str, words: str, code: object, said: object) -> None:
    assert " ".join(words.split()) in " ".join(page(name).split())
    assert code == said


def test_defaults_of_arguments() -> None:
    assert inspect.signature(cogir.analyze.refine).parameters["rounds"].default == 10
    assert "(10 unless you say otherwise)" in " ".join(page("refinement.md").split())
    assert (play_process.LoweringLimits.seconds, play_process.LoweringLimits.bytes) == (30.0, 4 * 1024 * MIB)
    assert "ended after 30 seconds, at 4 GiB of memory" in page("tools.md")
