"""One call of `run` or `execute`: its arguments, the native session, its results, and what PsyNeuLink carries on."""
