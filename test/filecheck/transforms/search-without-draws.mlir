// Common random numbers: every point of a search starts from the same generator, so its draws are made once, before the search.
// RUN: cog-opt %S/../../../examples/predator_prey_xl.mlir --emit=machine | filecheck %s --check-prefixes=CHECK,WITH
// RUN: cog-opt %S/../../../examples/predator_prey_xl.mlir --emit=machine --without inline-draws,open-points,factor-grid,reservoir-sampling | filecheck %s --check-prefixes=CHECK,WITHOUT

// CHECK-LABEL:    func.func @trial
// WITH:           rng.normal
// WITH:           rng.normal
// WITH:           rng.normal
// WITH:           scf.for %PREDATOR_OBS_variance_index
// WITH:           scf.for %PREY_OBS_variance_index
// WITH:           scf.for %PLAYER_OBS_variance_index
// WITH-NOT:       gaussian_distort
// WITH-NOT:       rng.
// WITHOUT:        scf.for %PLAYER_OBS_variance_index
// WITHOUT:          func.call @gaussian_distort
// WITHOUT:          scf.for %PREDATOR_OBS_variance_index
// WITHOUT:            func.call @gaussian_distort
// WITHOUT:            scf.for %PREY_OBS_variance_index
// WITHOUT:              func.call @gaussian_distort
// CHECK:          func.return
