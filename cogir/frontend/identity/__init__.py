"""The identity of a model in the cache of compiled code."""
