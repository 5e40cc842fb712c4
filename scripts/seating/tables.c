/* Search for the table numbers of given companies: exchange the tables of two companies of a round.

   Arguments: PLAYERS ROUNDS MOVES SEED; standard input: for each round its players, four of a company in turn.
   Prints for each round its companies' numbers in the order of the tables. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 256, ROUNDS = 32, HALL = 64 };
static int players, rounds, tables;
static uint8_t seats[ROUNDS][MOST];
static uint8_t order[ROUNDS][HALL], best[ROUNDS][HALL];
static int visits[MOST][HALL];

static uint64_t state_[2];
static uint64_t draw(void) {
    uint64_t one = state_[0], other = state_[1];
    state_[0] = other;
    one ^= one << 23;
    state_[1] = one ^ other ^ (one >> 17) ^ (other >> 26);
    return state_[1] + other;
}
static double unit(void) { return ((draw() >> 11) + 0.5) * (1.0 / 9007199254740992.0); }
static int below(int limit) { return (int)((draw() >> 33) * (uint64_t)limit >> 31); }

static int allowed;
static long price(int count) { long over = count > allowed ? count - allowed : 0; return (long)count * count + 4 * over * over; }
static long change_of(int round, int here, int there) {
    long change = 0;
    for (int seat = 0; seat < 4; seat++) {
        int one = seats[round][order[round][here] * 4 + seat], other = seats[round][order[round][there] * 4 + seat];
        change += price(visits[one][there] + 1) - price(visits[one][there]) + price(visits[one][here] - 1) - price(visits[one][here]);
        change += price(visits[other][here] + 1) - price(visits[other][here]) + price(visits[other][there] - 1) - price(visits[other][there]);
    }
    return change;
}
static void exchange(int round, int here, int there) {
    for (int seat = 0; seat < 4; seat++) {
        int one = seats[round][order[round][here] * 4 + seat], other = seats[round][order[round][there] * 4 + seat];
        visits[one][here]--, visits[one][there]++, visits[other][there]--, visits[other][here]++;
    }
    uint8_t kept = order[round][here];
    order[round][here] = order[round][there], order[round][there] = kept;
}
static void worst(int *most, long *over) {
    *most = 0, *over = 0;
    for (int player = 0; player < players; player++)
        for (int table = 0; table < tables; table++) {
            if (visits[player][table] > *most) *most = visits[player][table];
            *over += visits[player][table] > allowed;
        }
}
int main(int count, char **given) {
    if (count != 5) return 2;
    players = atoi(given[1]), rounds = atoi(given[2]), tables = players / 4, allowed = (rounds + tables - 1) / tables;
    long moves = atol(given[3]);
    state_[0] = 0x9E3779B97F4A7C15u * (atol(given[4]) + 1), state_[1] = 0xD1342543DE82EF95u ^ state_[0];
    for (int warm = 0; warm < 20; warm++) draw();
    for (int round = 0; round < rounds; round++)
        for (int place = 0; place < players; place++) { int point; if (scanf("%d", &point) != 1) return 2; seats[round][place] = point; }
    for (int round = 0; round < rounds; round++)
        for (int table = 0; table < tables; table++) order[round][table] = (table + 3 * round) % tables;
    for (int round = 0; round < rounds; round++)
        for (int place = 0; place < players; place++) visits[seats[round][order[round][place / 4] * 4 + place % 4]][place / 4]++;
    int most;
    long over;
    worst(&most, &over);
    memcpy(best, order, sizeof best);
    int best_most = most;
    long best_over = over, done = 0;
    for (int cycle = 0; done < moves && best_over > 0 && rounds > 1; cycle++) {
        long length = moves / 8 + 1 < 20000L << cycle ? moves / 8 + 1 : 20000L << cycle;
        for (long move = 0; move < length && done < moves; move++, done++) {
            double temperature = 4.0 * pow(0.05, (double)move / length);
            int round = below(rounds), here = below(tables), there = below(tables);
            if (here == there) continue;
            long change = change_of(round, here, there);
            if (change > 0 && change > -temperature * log(unit())) continue;
            exchange(round, here, there);
            if (change < 0 && temperature < 2.0) {
                worst(&most, &over);
                if (most < best_most || (most == best_most && over < best_over)) {
                    best_most = most, best_over = over;
                    memcpy(best, order, sizeof best);
                    if (!over) break;
                }
            }
        }
        if (!best_over) break;
    }
    for (int round = 0; round < rounds; round++)
        for (int table = 0; table < tables; table++) printf("%d ", best[round][table]);
    printf("\n");
    return 0;
}
