"""Equivalence of two models: `docs/design/equivalence.md` says what is shown, and why that is sound."""
