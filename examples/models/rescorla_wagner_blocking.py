"""Blocking (Kamin 1969): a stimulus learns nothing beside one that already predicts the outcome (Rescorla and Wagner 1972)."""

import numpy as np
from figures import arguments, draw

import cogir
from cogir import library

LIGHT, BOTH = [1.0, 0.0], [1.0, 1.0]
TRIALS = 20


def build() -> cogir.Model:
    """One node that learns; its ports are the stimuli (light, tone) and the outcome."""
    model = cogir.Model("blocking")
    node = model.node("conditioning", library.rescorla_wagner, input={"stimuli": 2, "outcome": 1}, salience=0.2)
    model.output(node["weights"])
    return model


def strengths(first: list[float] | None) -> np.ndarray:
    """The strengths of light and tone after each trial: `first` alone if given, then both together, always with the outcome."""
    stimuli = [*([first] * TRIALS if first is not None else []), *([BOTH] * TRIALS)]
    result = build().compile().run({"conditioning": {"stimuli": stimuli, "outcome": [[1.0]] * len(stimuli)}}, num_trials=len(stimuli))
    return np.array([weights for (weights,) in result.results])


if __name__ == "__main__":
    file = arguments(__doc__).figure
    blocked, control = strengths(LIGHT), strengths(None)
    print(f"light trained first: light {blocked[-1, 0]:.3f}, tone {blocked[-1, 1]:.3f}")
    print(f"control:             light {control[-1, 0]:.3f}, tone {control[-1, 1]:.3f}")

    def paint(left, right):
        for axes, course, title in ((left, blocked, "light, then light and tone"), (right, control, "light and tone")):
            axes.plot(np.arange(1, len(course) + 1), course[:, 0], label="light")
            axes.plot(np.arange(1, len(course) + 1), course[:, 1], label="tone")
            axes.set(title=title, xlabel="trial", ylabel="associative strength", ylim=(-0.05, 1.05))
            axes.legend()

    draw(file, 2, paint)
