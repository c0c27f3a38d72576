"""
Random programs, one generator per kind of program, for tests that compare two ways of running the same thing.

Models (`models`, put together from `nodes`, `conditions`, `searches` and `acts`, and `lanes` for replicates), modules of single stages
(`machine`, `loops`), Python functions (`functions`, `vectors`), schedules beside graph_scheduler's (`schedules`), and networks:
`numpy_networks` computes them in plain NumPy, `built_networks` builds the same ones in cogir, `networks` is for derivatives.

Every generator takes a `random.Random` (or Hypothesis, where a module says so) and depends on nothing else, so that a seed in a message
of a failing test is a reproducer. Programs are valid and free of undefined behaviour: whatever two stages do differently is a fault of
the compiler. What compares the results is one floor up, in `support.compare_models` and `support.native`.
"""
