/* Chandy and Lamport's algorithm on three fully connected nodes, for the model checker
 * SPIN: a yardstick beside "simrun explore testdata/explore/complete-3.yaml". Node 0 may
 * initiate at any moment; each node holds TOKENS tokens and may send up to SENDS of them,
 * each to any neighbour. It has fewer states than the scenario, which also has the writes
 * of the shares, the records that let the nodes begin, and timers that send nothing.
 *
 *   spin -DSENDS=2 -a complete-3.pml && gcc -O2 -DSAFETY -DNOREDUCE -o pan pan.c && ./pan -m100000 -w24
 */
#ifndef TOKENS
#define TOKENS 2
#endif
#ifndef SENDS
#define SENDS 2
#endif
#define N 3
#define MOST 8  /* tokens and a marker */

mtype = { token, marker };
chan q[9] = [MOST] of { mtype };  /* q[3*from+to]; the diagonal is not used */

byte had[N];        /* recorded state */
byte crossing[9];   /* recorded state of the channel: how many tokens */
byte done;          /* nodes that have recorded everything */

#define RECORD \
	had[id] = tokens; recorded = true; open = 2; \
	closed0 = false; closed1 = false; \
	q[3*id+a]!marker; q[3*id+b]!marker

#define CLOSE \
	open--; \
	if :: open == 0 -> done++ :: else fi

proctype node(byte id; byte a; byte b)
{
	byte tokens = TOKENS;
	byte left = SENDS;
	bool recorded = false;
	bool closed0 = false, closed1 = false;
	byte open = 0;

	do
	:: atomic { left > 0 -> left--; tokens--; q[3*id+a]!token }
	:: atomic { left > 0 -> left--; tokens--; q[3*id+b]!token }
	:: atomic { id == 0 && !recorded -> RECORD }
	:: atomic { q[3*a+id]?token -> tokens++;
		if :: recorded && !closed0 -> crossing[3*a+id]++ :: else fi }
	:: atomic { q[3*b+id]?token -> tokens++;
		if :: recorded && !closed1 -> crossing[3*b+id]++ :: else fi }
	:: atomic { q[3*a+id]?marker ->
		if :: !recorded -> RECORD :: else fi; closed0 = true; CLOSE }
	:: atomic { q[3*b+id]?marker ->
		if :: !recorded -> RECORD :: else fi; closed1 = true; CLOSE }
	:: atomic { done == N && left == 0 && empty(q[3*a+id]) && empty(q[3*b+id]) -> break }
	od
}

active proctype checks()
{
	done == N ->
	assert(had[0] + had[1] + had[2] + crossing[1] + crossing[2] + crossing[3]
		+ crossing[5] + crossing[6] + crossing[7] == N * TOKENS)
}

init { atomic { run node(0, 1, 2); run node(1, 0, 2); run node(2, 0, 1) } }
