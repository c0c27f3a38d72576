"""What a model becomes: its records as operations of the `cog` dialect."""
