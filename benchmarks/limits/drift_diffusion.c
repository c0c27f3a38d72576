/*
 * Drift-diffusion decisions by hand: what one core can do, with the generator and the normals of cogir's replicates.
 *
 * Sixteen decisions side by side, in arrays that the compiler turns into two vectors of eight numbers; a decision that is over makes room for
 * the next one. xoshiro256++ for each decision, its words from splitmix64; Box and Muller's method, of which both numbers are used: two steps
 * at a time. Choice and time of each decision are written down.
 *
 *     cc -O3 -march=native -mprefer-vector-width=512 -ffp-contract=off -fno-math-errno drift_diffusion.c -lm && ./a.out     (seconds and steps of 10^6 decisions, the second time)
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LANES = 16 };
static const long DECISIONS = 1000000;
static const double DRIFT = 1.0, NOISE = 1.0, THRESHOLD = 1.0, STEP = 0.01;

struct lanes {
    uint64_t s0[LANES], s1[LANES], s2[LANES], s3[LANES];
    double position[LANES], time[LANES];
    int64_t over[LANES];
};

static inline double as_double(uint64_t bits) { double x; memcpy(&x, &bits, 8); return x; }
static inline uint64_t as_bits(double x) { uint64_t bits; memcpy(&bits, &x, 8); return bits; }
static inline uint64_t rotate(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

static inline double log_of_uniform(double u) {
    const uint64_t root_half = as_bits(0.70710678118654752);
    const uint64_t bits = as_bits(u) - root_half;
    const double k = (double)((int64_t)bits >> 52), f = as_double((bits & 0xFFFFFFFFFFFFFULL) + root_half) - 1.0;
    const double s = f / (2.0 + f), z = s * s, z2 = z * z;
    const double low = fma(fma(0.22222211089379496, z, 0.28571428626253836), z2, fma(0.3999999999989889, z, 0.666666666666667));
    const double high = fma(0.14617807153417325, z2, fma(0.15331611722055008, z, 0.1818289243253687));
    return fma(k, 0.6931471805599453, fma(s * z, fma(high, z2 * z2, low), s + s));
}

static inline void two_normals(uint64_t *s0, uint64_t *s1, uint64_t *s2, uint64_t *s3, double *one, double *other) {
    uint64_t words[2];
    for (int i = 0; i < 2; i++) {
        words[i] = rotate(*s0 + *s3, 23) + *s0;
        const uint64_t shifted = *s1 << 17;
        *s2 ^= *s0; *s3 ^= *s1; *s1 ^= *s2; *s0 ^= *s3; *s2 ^= shifted; *s3 = rotate(*s3, 45);
    }
    const double radius = sqrt(-2.0 * log_of_uniform((double)(int64_t)((words[0] >> 11) + 1) * 0x1p-53));
    const double quarters = 4.0 * ((double)(int64_t)(words[1] >> 11) * 0x1p-53), nearest = nearbyint(quarters);
    const double x = quarters - nearest, z = x * x;
    double sine = fma(fma(fma(fma(5.642225369163528e-08, z, -3.5987029509735105e-06), z, 0.00016044116661409423), z, -0.004681754134254207), z, 0.07969262624614423);
    sine = fma(x, 1.5707963267948966, x * z * fma(sine, z, -0.6459640975062462));
    double cosine = fma(fma(fma(fma(-6.329396344967424e-09, z, 4.710678405505227e-07), z, -2.5202039028029178e-05), z, 0.0009192602745468447), z, -0.020863480763340773);
    cosine = fma(fma(fma(cosine, z, 0.2536695079010478), z, -1.2337005501361697), z, 1.0);
    const int64_t quarter = (int64_t)nearest;
    *one = radius * as_double(as_bits(quarter & 1 ? sine : cosine) ^ ((uint64_t)((quarter + 1) & 2) << 62));
    *other = radius * as_double(as_bits(quarter & 1 ? cosine : sine) ^ ((uint64_t)(quarter & 2) << 62));
}

static inline double moved(double position, double deviation, double normal) {
    const double next = position + DRIFT * STEP + deviation * normal;
    return next < -THRESHOLD ? -THRESHOLD : next > THRESHOLD ? THRESHOLD : next;
}

/* Two steps of all decisions; whether one of them is over. */
__attribute__((noinline)) static int64_t two_steps(struct lanes *restrict lanes, double deviation) {
    int64_t any = 0;
    for (int i = 0; i < LANES; i++) {
        uint64_t s0 = lanes->s0[i], s1 = lanes->s1[i], s2 = lanes->s2[i], s3 = lanes->s3[i];
        double one, other;
        two_normals(&s0, &s1, &s2, &s3, &one, &other);
        const double first = moved(lanes->position[i], deviation, one), second = moved(first, deviation, other);
        const int goes_on = !(fabs(first) >= THRESHOLD);
        const int64_t over = !(goes_on & !(fabs(second) >= THRESHOLD));
        lanes->position[i] = goes_on ? second : first;
        lanes->time[i] = goes_on ? lanes->time[i] + STEP + STEP : lanes->time[i] + STEP;
        lanes->s0[i] = s0; lanes->s1[i] = s1; lanes->s2[i] = s2; lanes->s3[i] = s3;
        lanes->over[i] = over;
        any |= over;
    }
    return any;
}

static uint64_t splitmix(uint64_t *z) {
    uint64_t w = *z += 0x9e3779b97f4a7c15ULL;
    w = (w ^ (w >> 30)) * 0xbf58476d1ce4e5b9ULL;
    w = (w ^ (w >> 27)) * 0x94d049bb133111ebULL;
    return w ^ (w >> 31);
}

static void begin(struct lanes *lanes, int i, uint64_t key) {
    lanes->s0[i] = splitmix(&key); lanes->s1[i] = splitmix(&key); lanes->s2[i] = splitmix(&key); lanes->s3[i] = splitmix(&key);
    lanes->position[i] = lanes->time[i] = 0.0;
}

static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + 1e-9 * t.tv_nsec; }

int main(void) {
    double *found = calloc(2 * DECISIONS, sizeof *found), fastest = INFINITY, steps = 0.0;
    for (int round = 0; round < 2; round++) {
        static struct lanes lanes;
        long number[LANES], next = 0, left = LANES;
        const double begun = now(), deviation = NOISE * sqrt(STEP);
        for (int i = 0; i < LANES; i++) begin(&lanes, i, (uint64_t)round << 32 | (number[i] = next++));
        while (left) {
            if (!two_steps(&lanes, deviation)) continue;
            for (int i = 0; i < LANES; i++) {
                if (!lanes.over[i] || number[i] < 0) continue;
                found[2 * number[i]] = lanes.position[i];
                found[2 * number[i] + 1] = lanes.time[i];
                if (next < DECISIONS) begin(&lanes, i, (uint64_t)round << 32 | (number[i] = next++));
                else { number[i] = -1; left--; }
            }
        }
        const double seconds = now() - begun;
        if (seconds < fastest) {
            fastest = seconds;
            steps = 0.0;
            for (long i = 0; i < DECISIONS; i++) steps += found[2 * i + 1] / STEP;
        }
    }
    printf("%.6f %.0f\n", fastest, steps);
}
