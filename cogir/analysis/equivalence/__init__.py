"""Whether two models compute the same: `docs/design/equivalence.md` says what is shown, and why that is sound."""
