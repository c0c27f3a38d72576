"""The records of a model as operations of the `cog` dialect."""
