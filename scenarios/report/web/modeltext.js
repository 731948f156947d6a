// Sentences about events.

/** An instant as people read it: with a unit, or the number of a step in chosen order. */
function timeText(run, t) {
  if (run.order === "chosen") return `step ${t}`;
  for (const [unit, size] of [["s", 1e9], ["ms", 1e6], ["µs", 1e3]]) {
    if (Math.abs(t) >= size) return `${Math.trunc(t / (size / 1e3)) / 1e3}${unit}`;
  }
  return `${t}ns`;
}

/** Event i in a sentence. */
function describeEvent(run, i) {
  const who = run.laneName(run.node[i]), n = run.number[i], id = run.snapshot[i], marker = run.marker;
  const where = run.channel[i] >= 0 ? run.channels[run.channel[i]].name : "";
  const what = {
    [KIND.Send]: () => `sends message ${n} on ${where}`,
    [KIND.Process]: () => `processes message ${n} from ${where}`,
    [KIND.External]: () => `reads record ${n} from outside`,
    [KIND.Timer]: () => `is woken by its timer ${n}`,
    [KIND.Emit]: () => `lets record ${n} leave the system`,
    [KIND.Drop]: () => `drops message ${n} from ${where}, which had come before`,
    [KIND.Close]: () => `sends the end of the stream on ${where}`,
    [KIND.Ended]: () => `is told that the stream ${where} has ended`,
    [KIND.MarkerSent]: () => `sends the ${marker} of snapshot ${id} on ${where}`,
    [KIND.Marker]: () => `gets the ${marker} of snapshot ${id} from ${where}`,
    [KIND.Initiate]: () => `is told to initiate snapshot ${id}`,
    [KIND.Record]: () => `records its state for snapshot ${id}`,
    [KIND.Done]: () => `has finished its part of snapshot ${id}`,
    [KIND.Block]: () => `blocks ${where} for snapshot ${id}`,
    [KIND.Unblock]: () => `unblocks ${where}`,
    [KIND.Crash]: () => "crashes",
    [KIND.Restored]: () => (id ? `is put back to what snapshot ${id} has of it` : "is put back to its initial state"),
    [KIND.Lost]: () => `${where} loses ${carried(run, i)}`,
    [KIND.Doubled]: () => `${where} will bring ${carried(run, i)} twice`,
    [KIND.ControlSent]: () => `sends the control message ${run.word(i)}${about(id)}`,
    [KIND.ControlReceived]: () => `gets the control message ${run.word(i)}${about(id)}`,
    [KIND.Fact]: () => `${run.word(i)}${about(id)}`,
  }[run.kind[i]]();
  const undone = run.undone[i] >= 0 ? `; recovery ${run.undone[i] + 1} took it back` : "";
  return `${who} ${what}, at ${timeText(run, run.at[i])}${undone}`;
}

function about(id) {
  return id ? ` of snapshot ${id}` : "";
}

/** What an unreliable channel loses or doubles: a message, or a marker. */
function carried(run, i) {
  return run.snapshot[i] ? `the ${run.marker} of snapshot ${run.snapshot[i]}` : `message ${run.number[i]}`;
}
