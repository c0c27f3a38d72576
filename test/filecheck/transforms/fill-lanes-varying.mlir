// In a sweep, points differ in some parameters: what depends on them is computed once for each lane and held in tables, all else is still
// computed once for all lanes.
// RUN: sed 's/mt19937/xoshiro256/g' %S/../../../examples/ddm_integrator.mlir | cog-opt --emit=machine --sweep DDM/threshold | filecheck %s
// RUN: sed 's/mt19937/xoshiro256/g' %S/../../../examples/ddm_integrator.mlir | cog-opt --emit=machine --sweep DDM/noise | filecheck %s --check-prefix=NOISE
// RUN: sed 's/mt19937/xoshiro256/g' %S/../../../examples/ddm_integrator.mlir | cog-opt --emit=loops --sweep DDM/noise | filecheck %s --check-prefix=ENTRY
// RUN: sed 's/mt19937/xoshiro256/g' %S/../../../examples/ddm_integrator.mlir | cog-translate --sweep DDM/noise --emit=llvm-ir -O3 | filecheck %s --check-prefix=VECTOR
// RUN: not cog-opt %S/../../../examples/ddm_integrator.mlir --emit=machine --sweep DDM/treshold 2>&1 | filecheck %s --check-prefix=WRONG

// Streams are those of the point, too.
// CHECK-LABEL:   @replicate_streams(%seed: i64, %point: i64, %replicate: i64
// CHECK:           rng.seed %seed, %{{.*}}, %point, %replicate : i64, i64, i64, i64 -> !rng.state<xoshiro256>

// The threshold, at word 7, is read for one lane, with what a bound means; the noise, at word 5, for all.
// CHECK-LABEL:   @lanes_begin(
// CHECK:           [[WORD:%.*]] = arith.constant 7 : index
// CHECK:           [[THRESHOLD:%.*]] = tensor.extract %pf[[[WORD]]]
// CHECK:           arith.cmpf uno, [[THRESHOLD]], [[THRESHOLD]]
// CHECK:           tensor.insert [[THRESHOLD]] into %{{.*}}[%lane]
// CHECK-LABEL:   @lanes_iterate(
// CHECK:           [[FIVE:%.*]] = arith.constant 5 : index
// CHECK:           tensor.extract %pf[[[FIVE]]]
// CHECK:           math.sqrt
// CHECK-NOT:       arith.constant 7 : index
// CHECK:           scf.for

// With the noise, its product with the root of the step is held.
// NOISE-LABEL:   @lanes_begin(
// NOISE:           [[ROOT:%.*]] = math.sqrt
// NOISE:           [[SCALE:%.*]] = arith.mulf %{{.*}}, [[ROOT]]
// NOISE:           tensor.insert [[SCALE]] into %{{.*}}[%lane]
// NOISE-LABEL:   @lanes_iterate(
// NOISE-NOT:       math.sqrt
// NOISE:           scf.for

// The entry finds point and replicate of an index, and reads the row of the point.
// ENTRY-LABEL:   @sweep(%pf: memref<?x9xf64> {llvm.noalias}, %pi: memref<?x1xi64> {llvm.noalias}, %sf: memref<?x4xf64> {llvm.noalias}
// ENTRY:           arith.divsi %{{.*}}, %per_point
// ENTRY:           func.call @init(
// ENTRY:           [[POINT:%.*]] = arith.divsi %{{.*}}, %per_point
// ENTRY:           func.call @replicate_streams(%seed, [[POINT]]

// VECTOR-LABEL:  @sweep(
// VECTOR:        sqrt.v[[WIDTH:[248]]]f64
// VECTOR:        fcmp o{{[a-z]*}} <[[WIDTH]] x double>

// WRONG: error: fill-lanes: there is no parameter "DDM/param:treshold"; did you mean "DDM/param:threshold"?
