// What a snapshot recorded of the channels, against what was in flight across its cut.

/**
 * What a snapshot has of every channel, against what it should have. The columns are those
 * of the explanation: S is what was sent in front of the sender's cut, R what was processed
 * in front of the receiver's.
 * @returns {Array<{channel: number, known: boolean, sent: ?number, processed: ?number, recorded: number[],
 *   logged: boolean, inFlight: number[], missing: number[], extra: number[], orphans: Crossing[], orphaned: number,
 *   disordered: boolean, broken: boolean, accused: object[], exact: boolean, right: boolean}>} by channel; known false: an end has not
 *   recorded, or not in this window; broken: see isRowBroken; accused: what the checker has found wrong with the channel
 *
 * The verdict is the checker's: nothing is wrong with a channel if it accuses neither that nor the
 * snapshot. One that is not complete may have messages still to record, and orphans are allowed to
 * who promises no more than at-least-once.
 */
function truth(run, snapshot) {
  const recorded = new Map(snapshot.channels.map((r) => [r.channel, r]));
  return run.channels.map(({ from, to }, c) => {
    const has = recorded.get(c);
    const numbers = has ? Array.from(has.numbers) : [];
    const one = { channel: c, recorded: numbers, logged: Boolean(has?.logged), missing: [], extra: [], disordered: false };
    const cut = snapshot.cut[from] >= 0 && snapshot.cut[to] >= 0;
    const at = cut ? across(run, snapshot.cut, c, Infinity) : { sent: null, processed: null, inFlight: [], orphans: [], orphaned: 0 };
    const known = at.sent !== null && at.processed !== null;
    Object.assign(one, { known, sent: at.sent, processed: at.processed, orphans: at.orphans, orphaned: at.orphaned });
    one.inFlight = at.inFlight.map((crossing) => crossing.number);
    const reliable = trafficOf(run).mishaps[c] === 0;
    one.broken = reliable && trafficOf(run).isIrregular(c) && isRowBroken(run, c);
    if (known) compareNumbers(one, reliable);
    one.accused = run.violations.filter((v) => v.snapshot === snapshot.id && v.channel === c);
    one.exact = known && !one.missing.length && !one.extra.length && !one.orphaned && !one.disordered;
    one.right = known && one.accused.length === 0 && (one.exact || snapshot.verdict !== "violated");
    return one;
  });
}

/**
 * Whether the checker has found that a channel brought its messages not once each and in a
 * row, or that a restore was wrong, which leads to that. From there on its S and R are
 * counts, and here they are still the numbers of messages.
 */
function isRowBroken(run, c) {
  const breaks = (v) => v.invariant === "recovery" || (v.invariant === "fifo" && v.channel === c);
  return run.result.violations_not_listed > 0 || run.violations.some(breaks);
}

/** What is missing from what was recorded, what is in it that should not be, once for each time. */
function compareNumbers(one, ordered) {
  const left = new Set(one.inFlight);
  for (const number of one.recorded) if (!left.delete(number)) one.extra.push(number);
  one.missing = [...left];
  const exact = !one.missing.length && !one.extra.length;
  one.disordered = exact && ordered && one.recorded.some((number, k) => number !== one.inFlight[k]);
}

/** Numbers as people write them: 1-3, 7. The first of them only, if there are many. */
function ranges(numbers, most = 8) {
  const texts = [];
  for (let k = 0; k < numbers.length; ) {
    let end = k;
    while (end + 1 < numbers.length && numbers[end + 1] === numbers[end] + 1) end++;
    if (texts.length === most) return `${texts.join(", ")} … (${numbers.length} in all)`;
    texts.push(end === k ? `${numbers[k]}` : end === k + 1 ? `${numbers[k]}, ${numbers[end]}` : `${numbers[k]}–${numbers[end]}`);
    k = end + 1;
  }
  return texts.join(", ");
}
