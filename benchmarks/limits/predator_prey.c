/*
 * The limit for the largest predator-prey search: what a patient programmer would write for it by hand.
 *
 * Three observations, each a place plus attention times a draw; a move away from the predator and towards the prey, weighted by how
 * near they are; the agreement of that move with the best one, less the costs of attention. Draws and all that depends on one
 * level alone are computed before the grid; the grid is one loop nest, and finding the least value another.
 *
 *     cc -O3 -march=native -mprefer-vector-width=512 -ffp-contract=off -fno-math-errno predator_prey.c -lm && ./a.out     (milliseconds of the fastest of 40 searches)
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { LEVELS = 101 };

struct observed {
    double x[LEVELS], y[LEVELS];
};

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void observe(struct observed *seen, double x, double y, const double *draw) {
    for (int level = 0; level < LEVELS; level++) {
        seen->x[level] = x + level / 10.0 * draw[0];
        seen->y[level] = y + level / 10.0 * draw[1];
    }
}

__attribute__((noinline)) static void search(const struct observed *player, const struct observed *predator, const struct observed *prey,
                                             const double *cost, double best_x, double best_y, double *restrict values) {
    for (int i = 0; i < LEVELS; i++)
        for (int j = 0; j < LEVELS; j++) {
            const double around = cost[i] + cost[j];
            const double px = player->x[i], py = player->y[i], dx = predator->x[j], dy = predator->y[j];
            for (int k = 0; k < LEVELS; k++) {
                const double flee_x = px - dx, flee_y = py - dy;
                const double chase_x = prey->x[k] - px, chase_y = prey->y[k] - py;
                const double far = sqrt(flee_x * flee_x + flee_y * flee_y);
                const double near = sqrt(chase_x * chase_x + chase_y * chase_y);
                const double fear = near / (far + near), hunger = far / (far + near);
                const double move_x = flee_x / far * fear + chase_x / near * hunger;
                const double move_y = flee_y / far * fear + chase_y / near * hunger;
                const double agreement = 1.0 - (fabs(move_x - best_x) + fabs(move_y - best_y)) / 4.0;
                values[(i * LEVELS + j) * LEVELS + k] = agreement - (around + cost[k]);
            }
        }
}

int main(void) {
    static struct observed player, predator, prey;
    static double cost[LEVELS];
    const double draws[] = {0.31, -0.7, 1.2, 0.05, -0.44, 0.9};
    double *values = malloc(sizeof(double) * LEVELS * LEVELS * LEVELS);
    double fastest = INFINITY, least = 0.0;
    int at = 0;
    for (int level = 0; level < LEVELS; level++)
        cost[level] = exp(level / 10.0);
    for (int turn = 0; turn < 40; turn++) {
        const double began = seconds();
        observe(&player, 1.1576537, 0.60782117, draws);
        observe(&predator, -0.03479106, -0.47666293, draws + 2);
        observe(&prey, -0.60836214, 0.1760381, draws + 4);
        search(&player, &predator, &prey, cost, -1.76, -0.43, values);
        least = values[0], at = 0;
        for (int point = 1; point < LEVELS * LEVELS * LEVELS; point++)
            if (values[point] < least)
                least = values[point], at = point;
        const double taken = seconds() - began;
        fastest = taken < fastest ? taken : fastest;
    }
    printf("%.4f\n", 1e3 * fastest);
    fprintf(stderr, "least %g at %d\n", least, at);
    free(values);
    return 0;
}
