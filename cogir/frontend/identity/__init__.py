"""What a model is known by in the cache of compiled code."""
