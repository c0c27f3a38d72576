// The densities that fastKDE (O'Brien et al. 2014, 2016) estimates for samples of one variable, and their values at points.
//
//     a row of simulations ──► @select: those of one category
//                          ──► @spread: a Gaussian around each, on a grid of 65 to 513 points
//                          ──► @characteristic: the empirical characteristic function up to the frequency at which it is below
//                              a threshold, weighted (Bernacchia and Pigolotti 2011)
//                          ──► @inverse: the density
//                          ──► @shift: down, so that what is below 0 can be cut off and the rest is still normalised
//                          ──► @interpolate
//
// What decides where a point goes on the grid is computed to the bit as fastKDE does. Few frequencies are above the threshold, so
// that sums over a short grid take less time than a Fourier transform.

// The density at some points for each of some places: a row of simulations and a category of it. The first row in `simulated` is that
// of the first place; the points of a place are begins[place] to begins[place + 1]. `turns` holds the cosines and sines (513 of each) of
// whole turns in 65, 129, 257 and 513 parts. The status of a place is
//
//     0  estimated
//     1  too few simulations for a density
//     2  another grid, or a rounding error could decide
//     3  a number is not finite, or all simulations of a category are equal
func.func @likelihoods(%simulated: memref<?xf64> {llvm.noalias}, %categories: memref<?xf64> {llvm.noalias}, %estimates: index,
                       %first_place: index, %last_place: index, %rows: memref<?xi64> {llvm.noalias}, %kinds: memref<?xf64> {llvm.noalias},
                       %begins: memref<?xi64> {llvm.noalias}, %points: memref<?xf64> {llvm.noalias},
                       %turns: memref<?xf64> {llvm.noalias}, %factors: memref<10xf64> {llvm.noalias},
                       %sample: memref<?xf64> {llvm.noalias}, %found: memref<?xf64> {llvm.noalias}, %statuses: memref<?xi64> {llvm.noalias},
                       %others: memref<?xf64> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %done = arith.constant 0 : i64
  %zero_probability = arith.constant 1.0e-10 : f64
  %density = memref.alloca() : memref<513xf64>
  %whole = arith.index_cast %estimates : index to i64
  %all = arith.sitofp %whole : i64 to f64
  %first_row = memref.load %rows[%first_place] : memref<?xi64>
  scf.for %place = %first_place to %last_place step %c1 {
    %row = memref.load %rows[%place] : memref<?xi64>
    %row_of_these = arith.subi %row, %first_row : i64
    %row_index = arith.index_cast %row_of_these : i64 to index
    %base = arith.muli %row_index, %estimates : index
    %kind = memref.load %kinds[%place] : memref<?xf64>
    %chosen, %count, %least, %greatest, %sum, %other = func.call @select(%simulated, %categories, %base, %estimates, %kind, %sample)
        : (memref<?xf64>, memref<?xf64>, index, index, f64, memref<?xf64>) -> (i64, index, f64, f64, f64, f64)
    memref.store %other, %others[%place] : memref<?xf64>
    %enough = arith.cmpi eq, %chosen, %done : i64
    %status, %size, %first, %step, %last = scf.if %enough -> (i64, index, f64, f64, f64) {
      %s, %n, %f, %d, %l = func.call @estimate(%sample, %count, %least, %greatest, %sum, %turns, %factors, %density)
          : (memref<?xf64>, index, f64, f64, f64, memref<?xf64>, memref<10xf64>, memref<513xf64>) -> (i64, index, f64, f64, f64)
      scf.yield %s, %n, %f, %d, %l : i64, index, f64, f64, f64
    } else {
      scf.yield %chosen, %c0, %least, %least, %least : i64, index, f64, f64, f64
    }
    memref.store %status, %statuses[%place] : memref<?xi64>
    %number = arith.index_cast %count : index to i64
    %counted = arith.sitofp %number : i64 to f64
    %part = arith.divf %counted, %all : f64
    %next = arith.addi %place, %c1 : index
    %begin = memref.load %begins[%place] : memref<?xi64>
    %end = memref.load %begins[%next] : memref<?xi64>
    %from = arith.index_cast %begin : i64 to index
    %to = arith.index_cast %end : i64 to index
    %is_estimated = arith.cmpi eq, %status, %done : i64
    scf.for %i = %from to %to step %c1 {
      %value = scf.if %is_estimated -> (f64) {
        %point = memref.load %points[%i] : memref<?xf64>
        %inside = func.call @interpolate(%density, %size, %first, %step, %last, %part, %point)
            : (memref<513xf64>, index, f64, f64, f64, f64, f64) -> f64
        scf.yield %inside : f64
      } else {
        scf.yield %zero_probability : f64
      }
      memref.store %value, %found[%i] : memref<?xf64>
    }
  }
  func.return
}

// The simulations of one category in a row; 1 where they are too few, 3 where the row is not a usual one. The last result is the
// category of all others: that asked for if there are no others, infinite if they are of several.
func.func private @select(%simulated: memref<?xf64> {llvm.noalias}, %categories: memref<?xf64> {llvm.noalias}, %base: index,
                          %estimates: index, %kind: f64, %sample: memref<?xf64> {llvm.noalias}) -> (i64, index, f64, f64, f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %fewest = arith.constant 10 : index
  %done = arith.constant 0 : i64
  %few = arith.constant 1 : i64
  %refused = arith.constant 3 : i64
  %zero = arith.constant 0.0 : f64
  %infinite = arith.constant 0x7FF0000000000000 : f64
  %below_all = arith.constant 0xFFF0000000000000 : f64
  %count, %least, %greatest, %sum, %odd, %other, %least_other, %greatest_other = scf.for %i = %c0 to %estimates step %c1
      iter_args(%n = %c0, %low = %infinite, %high = %below_all, %added = %zero, %wrong = %zero, %seen = %kind, %low_other = %infinite,
                %high_other = %below_all) -> (index, f64, f64, f64, f64, f64, f64, f64) {
    %at = arith.addi %base, %i : index
    %x = memref.load %simulated[%at] : memref<?xf64>
    %category = memref.load %categories[%at] : memref<?xf64>
    memref.store %x, %sample[%n] : memref<?xf64>
    %is_inside = arith.cmpf oeq, %category, %kind : f64
    %more = arith.addi %n, %c1 : index
    %n_now = arith.select %is_inside, %more, %n : index
    %x_low = arith.select %is_inside, %x, %infinite : f64
    %is_lower = arith.cmpf olt, %x_low, %low : f64
    %low_now = arith.select %is_lower, %x_low, %low : f64
    %x_high = arith.select %is_inside, %x, %below_all : f64
    %is_higher = arith.cmpf ogt, %x_high, %high : f64
    %high_now = arith.select %is_higher, %x_high, %high : f64
    %x_sum = arith.select %is_inside, %x, %zero : f64
    %added_now = arith.addf %added, %x_sum : f64
    %no_x = arith.subf %x, %x : f64
    %no_category = arith.subf %category, %category : f64
    %nothing = arith.addf %no_x, %no_category : f64
    %wrong_now = arith.addf %wrong, %nothing : f64
    %is_first = arith.cmpf oeq, %seen, %kind : f64
    %is_same = arith.cmpf oeq, %seen, %category : f64
    %second = arith.select %is_same, %seen, %infinite : f64
    %met = arith.select %is_first, %category, %second : f64
    %seen_now = arith.select %is_inside, %seen, %met : f64
    %y_low = arith.select %is_inside, %infinite, %x : f64
    %is_lower_other = arith.cmpf olt, %y_low, %low_other : f64
    %low_other_now = arith.select %is_lower_other, %y_low, %low_other : f64
    %y_high = arith.select %is_inside, %below_all, %x : f64
    %is_higher_other = arith.cmpf ogt, %y_high, %high_other : f64
    %high_other_now = arith.select %is_higher_other, %y_high, %high_other : f64
    scf.yield %n_now, %low_now, %high_now, %added_now, %wrong_now, %seen_now, %low_other_now, %high_other_now
        : index, f64, f64, f64, f64, f64, f64, f64
  }
  %is_finite = arith.cmpf oeq, %odd, %zero : f64
  %number_other = arith.subi %estimates, %count : index
  %are_many = arith.cmpi uge, %number_other, %fewest : index
  %are_equal = arith.cmpf oge, %least_other, %greatest_other : f64
  %are_level = arith.andi %are_many, %are_equal : i1
  %is_small = arith.cmpi ult, %count, %fewest : index
  %is_level = arith.cmpf oge, %least, %greatest : f64
  %or_level = arith.select %is_level, %refused, %done : i64
  %or_few = arith.select %is_small, %few, %or_level : i64
  %or_others = arith.select %are_level, %refused, %or_few : i64
  %status = arith.select %is_finite, %or_others, %refused : i64
  func.return %status, %count, %least, %greatest, %sum, %other : i64, index, f64, f64, f64, f64
}

// The density of a sample, on a grid of so many points: its status, their number, the first one, the distance and the last one.
func.func private @estimate(%sample: memref<?xf64> {llvm.noalias}, %count: index, %low: f64, %high: f64, %sum: f64,
                            %turns: memref<?xf64> {llvm.noalias}, %factors: memref<10xf64> {llvm.noalias},
                            %density: memref<513xf64> {llvm.noalias}) -> (i64, index, f64, f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %done = arith.constant 0 : i64
  %left = arith.constant 2 : i64
  %zero = arith.constant 0.0 : f64
  %half = arith.constant 0.5 : f64
  %one = arith.constant 1.0 : f64
  %infinite = arith.constant 0x7FF0000000000000 : f64
  %two_pi = arith.constant 6.283185307179586 : f64
  %small_range = arith.constant 1.0e-6 : f64
  %per_sigma = arith.constant 10.0 : f64
  %close = arith.constant 1.0e-9 : f64
  %p64 = arith.constant 64.0 : f64
  %p128 = arith.constant 128.0 : f64
  %p256 = arith.constant 256.0 : f64
  %p512 = arith.constant 512.0 : f64
  %table0 = arith.constant 0 : index
  %table1 = arith.constant 1026 : index
  %table2 = arith.constant 2052 : index
  %table3 = arith.constant 3078 : index
  %spread_end = arith.constant 533 : index
  %spread = memref.alloca() : memref<533xf64>
  %grid = "memref.cast"(%spread) : (memref<533xf64>) -> memref<?xf64>
  %kept_cosine = memref.alloca() : memref<257xf64>
  %kept_sine = memref.alloca() : memref<257xf64>
  %number = arith.index_cast %count : index to i64
  %n = arith.sitofp %number : i64 to f64

  // Twice the range, in tenths of a standard deviation.
  %range = arith.subf %high, %low : f64
  %low_size = math.absf %low : f64
  %high_size = math.absf %high : f64
  %is_low_larger = arith.cmpf ogt, %low_size, %high_size : f64
  %magnitude = arith.select %is_low_larger, %low_size, %high_size : f64
  %too_small = arith.mulf %small_range, %magnitude : f64
  %is_wide_beside = arith.cmpf ogt, %range, %too_small : f64
  %is_wide_alone = arith.cmpf ogt, %range, %small_range : f64
  %is_wide = arith.andi %is_wide_beside, %is_wide_alone : i1
  %ends = arith.addf %high, %low : f64
  %centre_old = arith.mulf %half, %ends : f64
  %below = arith.subf %low, %centre_old : f64
  %least = arith.addf %low, %below : f64
  %above = arith.subf %high, %centre_old : f64
  %greatest = arith.addf %high, %above : f64
  %mean = arith.divf %sum, %n : f64
  %squares = scf.for %i = %c0 to %count step %c1 iter_args(%sum_now = %zero) -> (f64) {
    %x = memref.load %sample[%i] : memref<?xf64>
    %away = arith.subf %x, %mean : f64
    %square = arith.mulf %away, %away : f64
    %added = arith.addf %sum_now, %square : f64
    scf.yield %added : f64
  }
  %variance = arith.divf %squares, %n : f64
  %deviation = math.sqrt %variance : f64
  %length = arith.subf %greatest, %least : f64
  %in_sigmas = arith.divf %length, %deviation : f64
  %ratio = arith.mulf %in_sigmas, %per_sigma : f64
  %varies = arith.cmpf ogt, %variance, %zero : f64
  %variance_fits = arith.cmpf olt, %variance, %infinite : f64
  %length_fits = arith.cmpf olt, %length, %infinite : f64
  %is_short = arith.cmpf olt, %ratio, %p512 : f64
  %over_64 = arith.cmpf ogt, %ratio, %p64 : f64
  %over_128 = arith.cmpf ogt, %ratio, %p128 : f64
  %over_256 = arith.cmpf ogt, %ratio, %p256 : f64
  %power1 = arith.select %over_64, %p128, %p64 : f64
  %power2 = arith.select %over_128, %p256, %power1 : f64
  %power = arith.select %over_256, %p512, %power2 : f64
  %t1 = arith.select %over_64, %table1, %table0 : index
  %t2 = arith.select %over_128, %table2, %t1 : index
  %table = arith.select %over_256, %table3, %t2 : index
  %to_power = arith.divf %ratio, %power : f64
  %from_power = arith.subf %one, %to_power : f64
  %is_far_above = arith.cmpf ogt, %from_power, %close : f64
  %from_half = arith.subf %to_power, %half : f64
  %is_far_below = arith.cmpf ogt, %from_half, %close : f64
  %and1 = arith.andi %is_wide, %varies : i1
  %and2 = arith.andi %variance_fits, %length_fits : i1
  %and3 = arith.andi %is_far_above, %is_far_below : i1
  %and4 = arith.andi %and1, %and2 : i1
  %and5 = arith.andi %is_short, %and3 : i1
  %has_grid = arith.andi %and4, %and5 : i1
  %status, %size, %step = scf.if %has_grid -> (i64, index, f64) {
    %power_whole = arith.fptosi %power : f64 to i64
    %intervals = arith.index_cast %power_whole : i64 to index
    %points = arith.addi %intervals, %c1 : index
    %points_f = arith.addf %power, %one : f64
    %centre = arith.mulf %half, %power : f64
    %middle_sum = arith.addf %greatest, %least : f64
    %middle = arith.mulf %half, %middle_sum : f64
    %norm = arith.divf %length, %two_pi : f64
    %apart_x = arith.divf %length, %power : f64
    %second = arith.addf %apart_x, %least : f64

    // Places on the grid as fastKDE computes them, by way of the frequencies.
    %second_away = arith.subf %second, %middle : f64
    %second_scaled = arith.divf %second_away, %norm : f64
    %first_away = arith.subf %least, %middle : f64
    %first_scaled = arith.divf %first_away, %norm : f64
    %spacing = arith.subf %second_scaled, %first_scaled : f64
    %spacing_turns = arith.divf %spacing, %two_pi : f64
    %spacing_all = arith.mulf %points_f, %spacing_turns : f64
    %frequency = arith.divf %one, %spacing_all : f64
    %minus_centre = arith.negf %centre : f64
    %next_centre = arith.subf %one, %centre : f64
    %f1 = arith.mulf %next_centre, %frequency : f64
    %f0 = arith.mulf %minus_centre, %frequency : f64
    %between = arith.subf %f1, %f0 : f64
    %between_turns = arith.divf %between, %two_pi : f64
    %between_all = arith.mulf %points_f, %between_turns : f64
    %place = arith.divf %one, %between_all : f64
    %first = arith.mulf %minus_centre, %place : f64
    %x1 = arith.mulf %next_centre, %place : f64
    %apart = arith.subf %x1, %first : f64
    scf.for %i = %c0 to %spread_end step %c1 {
      memref.store %zero, %spread[%i] : memref<533xf64>
    }
    func.call @spread(%sample, %count, %middle, %norm, %first, %apart, %factors, %grid)
        : (memref<?xf64>, index, f64, f64, f64, f64, memref<10xf64>, memref<?xf64>) -> ()
    %end, %constant = func.call @characteristic(%grid, %points, %n, %frequency, %apart, %turns, %table, %kept_cosine, %kept_sine)
        : (memref<?xf64>, index, f64, f64, f64, memref<?xf64>, index, memref<257xf64>, memref<257xf64>) -> (index, f64)
    %two = arith.constant 2.0 : f64
    %later_centre = arith.subf %two, %centre : f64
    %f2 = arith.mulf %later_centre, %frequency : f64
    %between_kept = arith.subf %f2, %f1 : f64
    %per_turn = arith.constant 0.15915494309189535 : f64
    %scale_turns = arith.mulf %between_kept, %per_turn : f64
    %scale = arith.divf %scale_turns, %norm : f64
    %is_certain = arith.cmpi ne, %end, %c0 : index
    %step_now = arith.subf %second, %least : f64
    %status_now = scf.if %is_certain -> (i64) {
      func.call @inverse(%kept_cosine, %kept_sine, %constant, %end, %points, %scale, %turns, %table, %density)
          : (memref<257xf64>, memref<257xf64>, f64, index, index, f64, memref<?xf64>, index, memref<513xf64>) -> ()
      func.call @shift(%density, %points, %step_now) : (memref<513xf64>, index, f64) -> ()
      scf.yield %done : i64
    } else {
      scf.yield %left : i64
    }
    scf.yield %status_now, %points, %apart_x : i64, index, f64
  } else {
    scf.yield %left, %c0, %zero : i64, index, f64
  }
  func.return %status, %size, %least, %step, %greatest : i64, index, f64, f64, f64
}

// Adds a Gaussian around each number to a grid: exp(-x^2 / 4 tau), tau = 0.5993, on ten of its points, the first of which lies five before
// the last one that is not above the number. The place of a number on the grid is ((number - middle) / norm - first) / apart.
//
// A number lies `ahead` grid points after the first one of its Gaussian, whose weight at `k` is exp(-(k - ahead)^2 / 4 tau):
// exp(-ahead^2 / 4 tau) times exp(ahead / 2 tau)^k times factors[k] = exp(-k^2 / 4 tau), which all numbers have in common.
func.func @spread(%data: memref<?xf64> {llvm.noalias}, %count: index, %middle: f64, %norm: f64, %first: f64, %apart: f64,
                  %factors: memref<10xf64> {llvm.noalias}, %spread: memref<?xf64> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %block = arith.constant 256 : index
  %width = arith.constant 10 : index
  %half = arith.constant 5 : i64
  %rise = arith.constant 0.8343066911396628 : f64
  %fall = arith.constant -0.4171533455698314 : f64
  %shift = arith.sitofp %half : i64 to f64
  %places = memref.alloca() : memref<256xi64>
  %weights = memref.alloca() : memref<256xf64>
  %steps = memref.alloca() : memref<256xf64>
  scf.for %begin = %c0 to %count step %block {
    %remaining = arith.subi %count, %begin : index
    %points = arith.minsi %remaining, %block : index
    scf.for %i = %c0 to %points step %c1 {
      %number = arith.addi %begin, %i : index
      %x = memref.load %data[%number] : memref<?xf64>
      %centred = arith.subf %x, %middle : f64
      %scaled = arith.divf %centred, %norm : f64
      %after = arith.subf %scaled, %first : f64
      %position = arith.divf %after, %apart : f64
      %whole = arith.fptosi %position : f64 to i64
      %below = arith.sitofp %whole : i64 to f64
      %part = arith.subf %position, %below : f64
      %ahead = arith.addf %part, %shift : f64
      %linear = arith.mulf %ahead, %rise : f64
      %step = math.exp %linear : f64
      %square = arith.mulf %ahead, %ahead : f64
      %quadratic = arith.mulf %square, %fall : f64
      %weight = math.exp %quadratic : f64
      %place = arith.subi %whole, %half : i64
      memref.store %place, %places[%i] : memref<256xi64>
      memref.store %weight, %weights[%i] : memref<256xf64>
      memref.store %step, %steps[%i] : memref<256xf64>
    }
    scf.for %i = %c0 to %points step %c1 {
      %place = memref.load %places[%i] : memref<256xi64>
      %base = arith.index_cast %place : i64 to index
      %weight = memref.load %weights[%i] : memref<256xf64>
      %step = memref.load %steps[%i] : memref<256xf64>
      %beyond = scf.for %k = %c0 to %width step %c1 iter_args(%power = %weight) -> (f64) {
        %factor = memref.load %factors[%k] : memref<10xf64>
        %added = arith.mulf %power, %factor : f64
        %at = arith.addi %base, %k : index
        %old = memref.load %spread[%at] : memref<?xf64>
        %new = arith.addf %old, %added : f64
        memref.store %new, %spread[%at] : memref<?xf64>
        %next = arith.mulf %power, %step : f64
        scf.yield %next : f64
      }
    }
  }
  func.return
}

// The empirical characteristic function without the Gaussian, weighted: its parts at the frequencies 1, 2 ... before that at which it
// is not above the threshold, and its value at 0. That frequency is 0 if there is none, or if a rounding error could decide which it is.
func.func private @characteristic(%spread: memref<?xf64> {llvm.noalias}, %points: index, %count: f64, %frequency: f64, %apart: f64,
                                  %turns: memref<?xf64> {llvm.noalias}, %table: index, %cosines: memref<257xf64> {llvm.noalias},
                                  %sines: memref<257xf64> {llvm.noalias}) -> (index, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %to_sines = arith.constant 513 : index
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %four = arith.constant 4.0 : f64
  %tau = arith.constant 0.5993 : f64
  %above_threshold = arith.constant 1.000000001 : f64
  %below_threshold = arith.constant 0.999999999 : f64
  %sine_table = arith.addi %table, %to_sines : index
  %fewer = arith.subf %count, %one : f64
  %four_fewer = arith.mulf %four, %fewer : f64
  %count_squared = arith.mulf %count, %count : f64
  %threshold = arith.divf %four_fewer, %count_squared : f64
  %high = arith.mulf %threshold, %above_threshold : f64
  %low = arith.mulf %threshold, %below_threshold : f64
  %two_fewer = arith.mulf %two, %fewer : f64
  %weight = arith.divf %count, %two_fewer : f64

  // The points on both sides of the middle one have the same cosine, and opposite sines.
  %intervals = arith.subi %points, %c1 : index
  %centre = arith.divui %intervals, %c2 : index
  %even = memref.alloca() : memref<257xf64>
  %odd = memref.alloca() : memref<257xf64>
  %middle = memref.load %spread[%centre] : memref<?xf64>
  %behind = arith.addi %centre, %c1 : index
  %total = scf.for %j = %c1 to %behind step %c1 iter_args(%sum = %middle) -> (f64) {
    %after = arith.addi %centre, %j : index
    %before = arith.subi %centre, %j : index
    %x = memref.load %spread[%after] : memref<?xf64>
    %y = memref.load %spread[%before] : memref<?xf64>
    %both = arith.addf %x, %y : f64
    %difference = arith.subf %x, %y : f64
    memref.store %both, %even[%j] : memref<257xf64>
    memref.store %difference, %odd[%j] : memref<257xf64>
    %added = arith.addf %sum, %both : f64
    scf.yield %added : f64
  }
  %all = arith.divf %one, %total : f64

  %end, %kept = scf.while (%k = %c1, %is_above = %one) : (index, f64) -> (index, f64) {
    %goes_on = arith.cmpf ogt, %is_above, %zero : f64
    %is_inside = arith.cmpi ule, %k, %centre : index
    %both = arith.andi %goes_on, %is_inside : i1
    scf.condition(%both) %k, %is_above : index, f64
  } do {
  ^bb0(%k: index, %was: f64):
    %at_last, %cosine, %sine = scf.for %j = %c1 to %behind step %c1 iter_args(%at = %k, %re = %middle, %im = %zero) -> (index, f64, f64) {
      %c = memref.load %even[%j] : memref<257xf64>
      %s = memref.load %odd[%j] : memref<257xf64>
      %cosine_at = arith.addi %table, %at : index
      %sine_at = arith.addi %sine_table, %at : index
      %cosine_turn = memref.load %turns[%cosine_at] : memref<?xf64>
      %sine_turn = memref.load %turns[%sine_at] : memref<?xf64>
      %more_re = arith.mulf %c, %cosine_turn : f64
      %more_im = arith.mulf %s, %sine_turn : f64
      %re_now = arith.addf %re, %more_re : f64
      %im_now = arith.addf %im, %more_im : f64
      %further = arith.addi %at, %k : index
      %is_round = arith.cmpi uge, %further, %points : index
      %back = arith.subi %further, %points : index
      %at_next = arith.select %is_round, %back, %further : index
      scf.yield %at_next, %re_now, %im_now : index, f64, f64
    }
    %whole = arith.index_cast %k : index to i64
    %number = arith.sitofp %whole : i64 to f64
    %number_frequency = arith.mulf %number, %frequency : f64
    %in_points = arith.mulf %number_frequency, %apart : f64
    %in_points_squared = arith.mulf %in_points, %in_points : f64
    %exponent = arith.mulf %tau, %in_points_squared : f64
    %sharper = math.exp %exponent : f64
    %factor = arith.mulf %sharper, %all : f64
    %real = arith.mulf %cosine, %factor : f64
    %imaginary = arith.mulf %sine, %factor : f64
    %real_squared = arith.mulf %real, %real : f64
    %imaginary_squared = arith.mulf %imaginary, %imaginary : f64
    %squared = arith.addf %real_squared, %imaginary_squared : f64
    %is_above = arith.cmpf ogt, %squared, %high : f64
    %part = arith.divf %threshold, %squared : f64
    %rest = arith.subf %one, %part : f64
    %root = math.sqrt %rest : f64
    %root_more = arith.addf %one, %root : f64
    %times = arith.mulf %weight, %root_more : f64
    %real_kept = arith.mulf %real, %times : f64
    %imaginary_kept = arith.mulf %imaginary, %times : f64
    memref.store %real_kept, %cosines[%k] : memref<257xf64>
    memref.store %imaginary_kept, %sines[%k] : memref<257xf64>
    %next = arith.addi %k, %c1 : index
    %k_next = arith.select %is_above, %next, %k : index
    // Not above: 0 if clearly below the threshold, or else -1.
    %minus_one = arith.negf %one : f64
    %is_below = arith.cmpf olt, %squared, %low : f64
    %not_above = arith.select %is_below, %zero, %minus_one : f64
    %found = arith.select %is_above, %one, %not_above : f64
    scf.yield %k_next, %found : index, f64
  }
  %is_certain = arith.cmpf oeq, %kept, %zero : f64
  %at_end = arith.select %is_certain, %end, %c0 : index
  %rest_0 = arith.subf %one, %threshold : f64
  %root_0 = math.sqrt %rest_0 : f64
  %root_0_more = arith.addf %one, %root_0 : f64
  %constant = arith.mulf %weight, %root_0_more : f64
  func.return %at_end, %constant : index, f64
}

// The density of a characteristic function that is 0 from a frequency on.
func.func private @inverse(%cosines: memref<257xf64> {llvm.noalias}, %sines: memref<257xf64> {llvm.noalias}, %constant: f64, %end: index,
                           %points: index, %scale: f64, %turns: memref<?xf64> {llvm.noalias}, %table: index,
                           %density: memref<513xf64> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %to_sines = arith.constant 513 : index
  %zero = arith.constant 0.0 : f64
  %two = arith.constant 2.0 : f64
  %sine_table = arith.addi %table, %to_sines : index
  %intervals = arith.subi %points, %c1 : index
  %centre = arith.divui %intervals, %c2 : index
  %behind = arith.addi %centre, %c1 : index
  scf.for %j = %c0 to %behind step %c1 {
    %at_last, %even, %odd = scf.for %k = %c1 to %end step %c1 iter_args(%at = %j, %re = %zero, %im = %zero) -> (index, f64, f64) {
      %c = memref.load %cosines[%k] : memref<257xf64>
      %s = memref.load %sines[%k] : memref<257xf64>
      %cosine_at = arith.addi %table, %at : index
      %sine_at = arith.addi %sine_table, %at : index
      %cosine_turn = memref.load %turns[%cosine_at] : memref<?xf64>
      %sine_turn = memref.load %turns[%sine_at] : memref<?xf64>
      %more_re = arith.mulf %c, %cosine_turn : f64
      %more_im = arith.mulf %s, %sine_turn : f64
      %re_now = arith.addf %re, %more_re : f64
      %im_now = arith.addf %im, %more_im : f64
      %further = arith.addi %at, %j : index
      %is_round = arith.cmpi uge, %further, %points : index
      %back = arith.subi %further, %points : index
      %at_next = arith.select %is_round, %back, %further : index
      scf.yield %at_next, %re_now, %im_now : index, f64, f64
    }
    %plus = arith.addf %even, %odd : f64
    %minus = arith.subf %even, %odd : f64
    %twice_plus = arith.mulf %two, %plus : f64
    %twice_minus = arith.mulf %two, %minus : f64
    %all_plus = arith.addf %constant, %twice_plus : f64
    %all_minus = arith.addf %constant, %twice_minus : f64
    %value_plus = arith.mulf %all_plus, %scale : f64
    %value_minus = arith.mulf %all_minus, %scale : f64
    %after = arith.addi %centre, %j : index
    %before = arith.subi %centre, %j : index
    memref.store %value_plus, %density[%after] : memref<513xf64>
    memref.store %value_minus, %density[%before] : memref<513xf64>
  }
  func.return
}

// Shifts a density down such that it is normalised without what is then below 0: by the root that `scipy.optimize.newton` finds from 0
// without a derivative. If it raises an error (the secant is level, or the search does not end), nothing is shifted.
func.func private @shift(%density: memref<513xf64> {llvm.noalias}, %points: index, %step: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %most = arith.constant 10000 : index
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %tolerance = arith.constant 1.48e-8 : f64
  %first_step = arith.constant 1.0e-4 : f64
  %infinite = arith.constant 0x7FF0000000000000 : f64
  %below_all = arith.constant 0xFFF0000000000000 : f64
  %not_a_number = arith.constant 0x7FF8000000000000 : f64
  %least, %greatest = scf.for %i = %c0 to %points step %c1 iter_args(%low = %infinite, %high = %below_all) -> (f64, f64) {
    %value = memref.load %density[%i] : memref<513xf64>
    %is_lower = arith.cmpf olt, %value, %low : f64
    %low_now = arith.select %is_lower, %value, %low : f64
    %is_higher = arith.cmpf ogt, %value, %high : f64
    %high_now = arith.select %is_higher, %value, %high : f64
    scf.yield %low_now, %high_now : f64, f64
  }
  %is_negative = arith.cmpf olt, %least, %zero : f64
  scf.if %is_negative {
    %at_zero = func.call @lacking(%density, %points, %step, %zero) : (memref<513xf64>, index, f64, f64) -> f64
    %at_first = func.call @lacking(%density, %points, %step, %first_step) : (memref<513xf64>, index, f64, f64) -> f64
    %size_zero = math.absf %at_zero : f64
    %size_first = math.absf %at_first : f64
    %is_swapped = arith.cmpf olt, %size_first, %size_zero : f64
    %before_0 = arith.select %is_swapped, %first_step, %zero : f64
    %last_0 = arith.select %is_swapped, %zero, %first_step : f64
    %old_0 = arith.select %is_swapped, %at_first, %at_zero : f64
    %new_0 = arith.select %is_swapped, %at_zero, %at_first : f64
    %steps, %before_at_last, %root, %old_at_last, %new_at_last, %has_ended_at_last = scf.while (%n = %c0, %before = %before_0,
        %last = %last_0, %old = %old_0, %new = %new_0, %has_ended = %zero) : (index, f64, f64, f64, f64, f64) -> (index, f64, f64, f64, f64, f64) {
      %goes_on = arith.cmpf oeq, %has_ended, %zero : f64
      %are_left = arith.cmpi ult, %n, %most : index
      %both = arith.andi %goes_on, %are_left : i1
      scf.condition(%both) %n, %before, %last, %old, %new, %has_ended : index, f64, f64, f64, f64, f64
    } do {
    ^bb0(%n: index, %before: f64, %last: f64, %old: f64, %new: f64, %had_ended: f64):
      %size_new = math.absf %new : f64
      %size_old = math.absf %old : f64
      %is_further = arith.cmpf ogt, %size_new, %size_old : f64
      %numerator = arith.select %is_further, %old, %new : f64
      %divisor = arith.select %is_further, %new, %old : f64
      %times = arith.select %is_further, %last, %before : f64
      %plus = arith.select %is_further, %before, %last : f64
      %quotient = arith.divf %numerator, %divisor : f64
      %minus_quotient = arith.negf %quotient : f64
      %product = arith.mulf %minus_quotient, %times : f64
      %above = arith.addf %product, %plus : f64
      %below = arith.subf %one, %quotient : f64
      %crossing = arith.divf %above, %below : f64
      %is_level = arith.cmpf oeq, %new, %old : f64
      %is_same = arith.cmpf oeq, %last, %before : f64
      %level_root = arith.select %is_same, %last, %not_a_number : f64
      %secant = arith.select %is_level, %level_root, %crossing : f64
      %is_no_number = arith.cmpf uno, %secant, %secant : f64
      %moved = arith.subf %secant, %last : f64
      %distance = math.absf %moved : f64
      %is_close = arith.cmpf ole, %distance, %tolerance : f64
      %or_level = arith.ori %is_close, %is_level : i1
      %ends = arith.ori %or_level, %is_no_number : i1
      %value = func.call @lacking(%density, %points, %step, %secant) : (memref<513xf64>, index, f64, f64) -> f64
      %ended = arith.select %ends, %one, %zero : f64
      %n_next = arith.addi %n, %c1 : index
      scf.yield %n_next, %last, %secant, %new, %value, %ended : index, f64, f64, f64, f64, f64
    }
    %is_found = arith.cmpf oeq, %has_ended_at_last, %one : f64
    %is_positive = arith.cmpf ogt, %root, %zero : f64
    %is_lower = arith.cmpf olt, %root, %greatest : f64
    %both_ends = arith.andi %is_positive, %is_lower : i1
    %is_shifted = arith.andi %is_found, %both_ends : i1
    scf.if %is_shifted {
      scf.for %i = %c0 to %points step %c1 {
        %value = memref.load %density[%i] : memref<513xf64>
        %lower = arith.subf %value, %root : f64
        %is_above = arith.cmpf ogt, %lower, %zero : f64
        %cut = arith.select %is_above, %lower, %zero : f64
        memref.store %cut, %density[%i] : memref<513xf64>
      }
    }
  }
  func.return
}

// By how much the sum of a density that is shifted down and cut off at 0 falls short of 1.
func.func private @lacking(%density: memref<513xf64> {llvm.noalias}, %points: index, %step: f64, %shift: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %sum = scf.for %i = %c0 to %points step %c1 iter_args(%sum_now = %zero) -> (f64) {
    %value = memref.load %density[%i] : memref<513xf64>
    %moved = arith.subf %value, %shift : f64
    %area = arith.mulf %moved, %step : f64
    %is_inside = arith.cmpf oge, %moved, %zero : f64
    %counted = arith.select %is_inside, %area, %zero : f64
    %added = arith.addf %sum_now, %counted : f64
    scf.yield %added : f64
  }
  %lacks = arith.subf %one, %sum : f64
  func.return %lacks : f64
}

// The density at a point, linear between points of the grid, times the part of the simulations that it stands for; next to 0 outside.
func.func private @interpolate(%density: memref<513xf64> {llvm.noalias}, %points: index, %first: f64, %step: f64, %last: f64, %part: f64,
                               %point: f64) -> f64 {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1.0 : f64
  %zero_probability = arith.constant 1.0e-10 : f64
  %is_behind_first = arith.cmpf oge, %point, %first : f64
  %is_before_last = arith.cmpf ole, %point, %last : f64
  %is_inside = arith.andi %is_behind_first, %is_before_last : i1
  %value = scf.if %is_inside -> (f64) {
    %away = arith.subf %point, %first : f64
    %steps = arith.divf %away, %step : f64
    %whole = arith.fptosi %steps : f64 to i64
    %guess = arith.index_cast %whole : i64 to index
    %last_place = arith.subi %points, %c2 : index
    %inner = arith.minsi %guess, %last_place : index
    // A rounding error may have led to the next place.
    %x = func.call @on_grid(%inner, %points, %first, %step, %last) : (index, index, f64, f64, f64) -> f64
    %is_too_far = arith.cmpf ogt, %x, %point : f64
    %back = arith.subi %inner, %c1 : index
    %nearer = arith.select %is_too_far, %back, %inner : index
    %next = arith.addi %nearer, %c1 : index
    %x_next = func.call @on_grid(%next, %points, %first, %step, %last) : (index, index, f64, f64, f64) -> f64
    %is_behind_next = arith.cmpf oge, %point, %x_next : f64
    %further = arith.select %is_behind_next, %next, %nearer : index
    %place = arith.minsi %further, %last_place : index
    %after = arith.addi %place, %c1 : index
    %x_place = func.call @on_grid(%place, %points, %first, %step, %last) : (index, index, f64, f64, f64) -> f64
    %x_after = func.call @on_grid(%after, %points, %first, %step, %last) : (index, index, f64, f64, f64) -> f64
    %beyond = arith.subf %point, %x_place : f64
    %width = arith.subf %x_after, %x_place : f64
    %share = arith.divf %beyond, %width : f64
    %rest = arith.subf %one, %share : f64
    %below = memref.load %density[%place] : memref<513xf64>
    %above = memref.load %density[%after] : memref<513xf64>
    %below_scaled = arith.mulf %below, %part : f64
    %above_scaled = arith.mulf %above, %part : f64
    %from_below = arith.mulf %below_scaled, %rest : f64
    %from_above = arith.mulf %above_scaled, %share : f64
    %both = arith.addf %from_below, %from_above : f64
    scf.yield %both : f64
  } else {
    scf.yield %zero_probability : f64
  }
  func.return %value : f64
}

// A point of a grid, as `numpy.linspace` computes it.
func.func private @on_grid(%place: index, %points: index, %first: f64, %step: f64, %last: f64) -> f64 {
  %c1 = arith.constant 1 : index
  %end = arith.subi %points, %c1 : index
  %is_last = arith.cmpi eq, %place, %end : index
  %whole = arith.index_cast %place : index to i64
  %number = arith.sitofp %whole : i64 to f64
  %steps = arith.mulf %number, %step : f64
  %inner = arith.addf %steps, %first : f64
  %x = arith.select %is_last, %last, %inner : f64
  func.return %x : f64
}
