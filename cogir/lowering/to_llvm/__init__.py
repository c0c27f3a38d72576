"""How each upstream dialect becomes the llvm dialect: one file per dialect, and the converter that they share."""
