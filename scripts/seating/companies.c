/* Search for the companies of a seating plan under a cyclic symmetry.

   Arguments: PLAYERS ROUNDS MODULUS FIXED MOVES SEED TABLES
   With TABLES 1, and MODULUS 1, the companies are searched together with their tables: the first four players of a round
   are at table 1, and so on, and visits to one table come next after repeated meetings.
   Players are points: MODULUS * K points in K orbits (point orbit * MODULUS + place) and FIXED points, which no turn
   moves. ROUNDS / MODULUS base rounds are searched; each gives MODULUS rounds by adding 0, 1, ... to the places.
   Standard input may give the base rounds' players in order, where the search begins; without them it begins at random.
   Prints the players of the best base rounds found, in order. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 256, ROUNDS = 32, HALL = 64 };

static int players, rounds, modulus, fixed_points, orbits, bases, representatives, width;
static uint8_t seats[ROUNDS][MOST];
static int16_t met[MOST][MOST];              /* meetings of an orbit's first point with each point */
static uint8_t near[MOST][MOST] __attribute__((aligned(64)));  /* 1 where two points meet */
static uint8_t apart[MOST][MOST] __attribute__((aligned(64))); /* 255 where the representative never meets the point */
static uint8_t turned[MOST][MOST];           /* turned[place][point]: the point moved back by so many places */
static int is_counting;                       /* whether near and apart are kept */
static long squares;                         /* sum over ordered pairs of meetings squared */

static int has_tables, allowed;
static int visits[MOST][HALL];
static long crowd;                           /* price of all visits of players to tables */

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

static int orbit_of(int point) { return point < orbits * modulus ? point / modulus : orbits + point - orbits * modulus; }
static int is_fixed(int point) { return point >= orbits * modulus; }
static int weight(int representative) { return representative < orbits ? modulus : 1; }
static int first_of(int representative) {
    return representative < orbits ? representative * modulus : orbits * modulus + representative - orbits;
}

static void bump(int representative, int point, int by) {
    int16_t *cell = &met[representative][point];
    squares += (long)weight(representative) * (2 * *cell * by + by * by);
    int was = *cell > 0;
    *cell += by;
    if (!is_counting || was == (*cell > 0)) return;
    /* near is kept whole, for all turns of the pair */
    uint8_t now = !was;
    apart[representative][point] = now ? 0 : 255;
    int first = first_of(representative);
    if (representative >= orbits) { near[first][point] = now; return; }
    for (int turn = 0; turn < modulus; turn++) {
        int to = is_fixed(point) ? point : (point / modulus) * modulus + (point % modulus + turn) % modulus;
        near[first + turn][to] = now;
    }
}
static void half(int one, int other, int by) {
    int representative = orbit_of(one);
    if (!is_fixed(one)) { bump(representative, turned[one % modulus][other], by); return; }
    if (is_fixed(other)) { bump(representative, other, by * modulus); return; }
    int begin = other / modulus * modulus;
    for (int place = 0; place < modulus; place++) bump(representative, begin + place, by);
}
static void meet(int one, int other, int by) { half(one, other, by); half(other, one, by); }

static long price_of(int count) {
    long over = count > allowed ? count - allowed : 0;
    return (long)count * count + 4 * over * over;
}
static void visit(int player, int table, int by) {
    int *cell = &visits[player][table];
    crowd += price_of(*cell + by) - price_of(*cell);
    *cell += by;
}
static void exchange(int base, int here, int there) {
    uint8_t *seat = seats[base];
    int one = seat[here], other = seat[there];
    if (has_tables) {
        visit(one, here / 4, -1), visit(other, there / 4, -1);
        visit(one, there / 4, 1), visit(other, here / 4, 1);
    }
    for (int place = here & ~3; place < (here & ~3) + 4; place++)
        if (place != here) { meet(one, seat[place], -1); }
    for (int place = there & ~3; place < (there & ~3) + 4; place++)
        if (place != there) { meet(other, seat[place], -1); }
    seat[here] = other;
    seat[there] = one;
    for (int place = here & ~3; place < (here & ~3) + 4; place++)
        if (place != here) { meet(other, seat[place], 1); }
    for (int place = there & ~3; place < (there & ~3) + 4; place++)
        if (place != there) { meet(one, seat[place], 1); }
}

static int meetings(int one, int other) {
    return is_fixed(one) ? met[orbit_of(one)][other] : met[orbit_of(one)][turned[one % modulus][other]];
}
/* Whether a player would meet again at the table where the other one leaves a seat. */
static int repeats(const uint8_t *seat, int player, int place) {
    for (int at = place & ~3; at < (place & ~3) + 4; at++)
        if (at != place && meetings(player, seat[at])) return 1;
    return 0;
}

static void exchange_tables(int base, int here, int there) {
    for (int seat = 0; seat < 4; seat++) {
        uint8_t *one = &seats[base][here * 4 + seat], *other = &seats[base][there * 4 + seat], kept = *one;
        visit(*one, here, -1), visit(*other, there, -1);
        visit(*one, there, 1), visit(*other, here, 1);
        *one = *other, *other = kept;
    }
}
/* What is compared first: repeated meetings, then visits to one table. */
static long first_count(void) { return squares * (1L << 20) + crowd; }

static uint8_t thirds[MOST] __attribute__((aligned(64)));
static void count_thirds(int representative) {
    int first = first_of(representative);
    memset(thirds, 0, width);
    for (int other = 0; other < players; other++) {
        if (!near[first][other]) continue;
        const uint8_t *row = near[other];
        for (int point = 0; point < width; point++) thirds[point] += row[point];
    }
}
/* Sum over pairs that never meet of the square of what they lack to `wanted` thirds; the more they lack, the worse. */
static long lack(int wanted) {
    long total = 0;
    for (int representative = 0; representative < representatives; representative++) {
        count_thirds(representative);
        const uint8_t *open = apart[representative];
        uint32_t sum = 0;
        for (int point = 0; point < width; point++) {
            uint8_t less = thirds[point] < wanted ? wanted - thirds[point] : 0;
            less &= open[point];
            sum += (uint16_t)less * (uint16_t)less;
        }
        /* A pair of fixed players counts as much as a whole circle of pairs: it is as bad for those two. */
        total += (long)modulus * sum;
    }
    return total;
}
static void least(int *fewest, long *count) {
    *fewest = 999;
    *count = 0;
    for (int representative = 0; representative < representatives; representative++) {
        count_thirds(representative);
        for (int point = 0; point < players; point++) {
            if (!apart[representative][point]) continue;
            if (thirds[point] < *fewest) { *fewest = thirds[point]; *count = 0; }
            if (thirds[point] == *fewest) *count += weight(representative);
        }
    }
    *count /= 2;
}

static void reset(void) {
    memset(met, 0, sizeof met);
    memset(near, 0, sizeof near);
    memset(apart, 0, sizeof apart);
    memset(visits, 0, sizeof visits);
    squares = 0, crowd = 0;
    for (int base = 0; has_tables && base < bases; base++)
        for (int place = 0; place < players; place++) visit(seats[base][place], place / 4, 1);
    for (int representative = 0; representative < representatives; representative++)
        for (int point = 0; point < players; point++)
            apart[representative][point] = point == first_of(representative) ? 0 : 255;
    for (int base = 0; base < bases; base++)
        for (int place = 0; place < players; place++)
            for (int other = place + 1; other < (place & ~3) + 4; other++) meet(seats[base][place], seats[base][other], 1);
}

int main(int count, char **given) {
    if (count != 8) return 2;
    players = atoi(given[1]), rounds = atoi(given[2]), modulus = atoi(given[3]), fixed_points = atoi(given[4]);
    long moves = atol(given[5]);
    has_tables = atoi(given[7]), allowed = (rounds + players / 4 - 1) / (players / 4);
    state_[0] = 0x9E3779B97F4A7C15u * (atol(given[6]) + 1), state_[1] = 0xD1342543DE82EF95u ^ state_[0];
    for (int warm = 0; warm < 20; warm++) draw();
    orbits = (players - fixed_points) / modulus, bases = rounds / modulus, representatives = orbits + fixed_points;
    width = (players + 31) & ~31;
    for (int place = 0; place < modulus; place++)
        for (int point = 0; point < players; point++)
            turned[place][point] = is_fixed(point) ? point : point / modulus * modulus + (point % modulus + modulus - place) % modulus;
    for (int base = 0; base < bases; base++) {
        for (int point = 0; point < players; point++) seats[base][point] = point;
        for (int place = players - 1; place > 0; place--) {
            int other = below(place + 1);
            uint8_t kept = seats[base][place];
            seats[base][place] = seats[base][other], seats[base][other] = kept;
        }
    }
    double heat = 1.0;
    for (int base = 0, point; base < bases; base++)
        for (int place = 0; place < players && scanf("%d", &point) == 1; place++) seats[base][place] = point, heat = 0.15;
    reset();
    long total = (long)players * rounds * 3, pairs = (long)players * (players - 1);
    long each = total / pairs, left = total % pairs, bound = (pairs - left) * each * each + left * (each + 1) * (each + 1);
    bound *= 1L << 20;
    if (has_tables) {
        int tables = players / 4, some = rounds % tables, even = rounds / tables;
        bound += players * ((tables - some) * price_of(even) + some * price_of(even + 1));
    }
    int strangers = players - 1 - 3 * rounds;
    int most_least = strangers <= 0 ? 0 : 3 * rounds * (3 * rounds - 3) / strangers;
    if (most_least > 3 * rounds) most_least = 3 * rounds;
    long reach = 3L * rounds + 3L * rounds * (3 * rounds - 3);
    long unlinked_bound = reach < players - 1 ? players * (players - 1 - reach) / 2 : 0;
    int is_linked = players - 1 - 3 * rounds > 0;

    static uint8_t best[ROUNDS][MOST];
    memcpy(best, seats, sizeof seats);
    long best_first = first_count(), best_count = 0;
    int best_least = -1, wanted = 1;
    double price = 6.0, table_price = 3.0; /* of a unit of squares and of crowd, in units of lack */
    long done = 0;
    int is_even = best_first <= bound;
    if (is_even && !is_linked) goto found;
    /* The first cycle reduces repeated meetings alone; later ones also what pairs lack. */
    for (int cycle = 0; done < moves; cycle++) {
        int counts_lack = is_linked && (is_even || done >= moves / 2);
        long length = counts_lack ? (moves - done) / (is_even ? 4 : 1) + 1 : moves / 16 + 1;
        if (length < 20000) length = 20000;
        if (counts_lack != is_counting) { is_counting = counts_lack; reset(); }
        long present = counts_lack ? lack(wanted + 1) : 0;
        double begin = counts_lack ? 4.0 * modulus * heat : 1.5 * modulus * heat * price, end = counts_lack ? 0.25 * modulus : 0.25 * modulus * price;
        long best_here = 1L << 60;
        for (long move = 0; move < length && done < moves; move++, done++) {
            double temperature = begin * pow(end / begin, (double)move / length);
            int base = bases == 1 ? 0 : below(bases);
            if (has_tables && draw() % 4 == 0) {
                int here = below(players / 4), there = below(players / 4);
                if (here == there) continue;
                long before = crowd;
                exchange_tables(base, here, there);
                if (table_price * (crowd - before) > -temperature * log(unit())) exchange_tables(base, here, there);
                continue;
            }
            int here = below(players), there = below(players);
            if (here / 4 == there / 4) continue;
            /* Without repeats an exchange that brings one is not worth judging. */
            if (counts_lack && squares == total &&
                (repeats(seats[base], seats[base][here], there) || repeats(seats[base], seats[base][there], here))) continue;
            long before = squares, crowded = crowd;
            exchange(base, here, there);
            double limit = -temperature * log(unit());
            double worse = price * (squares - before) + table_price * (crowd - crowded);
            long now = 0;
            int is_taken = worse <= limit;
            if (is_taken && counts_lack) {
                now = lack(wanted + 1);
                is_taken = worse + (now - present) <= limit;
            }
            if (!is_taken) { exchange(base, here, there); continue; }
            present = now;
            long first = first_count();
            if (first > best_first) continue;
            if (first == best_first && (!counts_lack || present >= best_here)) continue;
            int fewest = -1;
            long at_least = 0;
            if (counts_lack) least(&fewest, &at_least);
            if (first == best_first) best_here = present;
            else best_here = 1L << 60;
            if (first < best_first || fewest > best_least || (fewest == best_least && at_least < best_count)) {
                best_first = first, best_least = fewest, best_count = at_least;
                memcpy(best, seats, sizeof seats);
                if (first <= bound && !counts_lack) { is_even = 1; if (!is_linked) goto found; break; }
                if (counts_lack && fewest == 0 && at_least <= unlinked_bound) goto found;
                if (counts_lack && fewest >= wanted && first == best_first) {
                    if (fewest > most_least) goto found;
                    wanted = fewest + 1;
                    present = counts_lack ? lack(wanted + 1) : 0;
                    best_here = 1L << 60;
                }
            }
        }
        memcpy(seats, best, sizeof seats);
        reset();
        if (best_first <= bound) is_even = 1;
    }
found:
    for (int base = 0; base < bases; base++)
        for (int place = 0; place < players; place++) printf("%d ", best[base][place]);
    printf("\n");
    return 0;
}
