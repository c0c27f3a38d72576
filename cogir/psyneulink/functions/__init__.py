"""The table of PsyNeuLink's Functions: what each becomes as a function of a node."""
