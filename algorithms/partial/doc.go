// Package partial is what lets a task go on when only what is upstream of it is restarted
// (Carbone et al. 2015, 4.4), around any algorithm with aligned barriers that works with a
// coordinator. A task that fails is restored together with everything upstream, up to the
// sources, which read again; what is downstream keeps its state, and drops what it is sent
// once more. It knows that by the source-assigned sequence number, which every message
// carries in Aux, as does everything that is made of it.
//
//	at the start:
//	    for every input i: epochs[i] = [0: {}]; again[i] = {}
//	when a barrier of checkpoint n comes on input i:
//	    if again[i] is not empty: give n up, and tell the coordinator so
//	    epochs[i] += [n: {}]
//	when a record m comes on input i:
//	    if again[i] has m: again[i] -= m; drop m
//	    else: the last of epochs[i] += m; handle m
//	when checkpoint n is complete:
//	    forget the epochs before n's
//	when others are restarted from checkpoint n, which is complete:
//	    give up every checkpoint after n that has begun
//	    for every input i whose sender is restarted:
//	        again[i] = the epochs of i from n's on
//
// The sets count, because several messages can descend from one record. A checkpoint is
// given up while records are still to come again: its barrier has come in front of some
// whose effects are here, so a state that is recorded now has more than its cut.
//
// All this is sound only if what is restarted sends the same again, in the same order: if
// it merges inputs, or has timers, it may not.
package partial
