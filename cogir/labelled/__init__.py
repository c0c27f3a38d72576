"""Labelled data: arrays with names for their axes, coordinates along them, and units; knows nothing of models."""
