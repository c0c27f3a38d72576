"""Elementary functions (exp, log, tanh ...) with one definition for every stage, lane and target."""
