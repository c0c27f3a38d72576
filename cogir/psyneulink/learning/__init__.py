"""AutodiffCompositions that learn: their import, and native learning in place of PyTorch or of PsyNeuLink's compiler."""
