"""Three nodes at three rates: B runs at every second call of A, C at every third call of B; a trial ends after two calls of C."""

import cogir
from cogir import library


def build() -> cogir.Model:
    """A -> B -> C; A and B are leaky integrators."""
    model = cogir.Model("chain_conditions")
    a = model.node("A", library.psyneulink.integrated_linear, input=1, integration_rate=0.5)
    b = model.node("B", library.psyneulink.integrated_linear, input=1, integration_rate=0.25)
    c = model.node("C", library.linear, input=1, slope=3.0)
    model.project(a, b)
    model.project(b, c)
    model.schedule.when(b, cogir.EveryNCalls(a, 2))
    model.schedule.when(c, cogir.EveryNCalls(b, 3))
    model.schedule.trial_ends(cogir.AfterNCalls(c, 2))
    return model


if __name__ == "__main__":
    print(build().compile().run({"A": [[1.0], [2.0], [-1.0]]}, num_trials=6)["C"])
