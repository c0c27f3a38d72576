"""Studies: what takes many runs of a model. Fits find the parameters under which a model explains data."""
