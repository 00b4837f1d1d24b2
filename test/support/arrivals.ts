/** Weight as it arrived at a server, `at` in milliseconds. */
export type Arrival = { readonly at: number; readonly weight: number };

/** The most weight within any interval of this length, both ends included. */
export function worstSliding(arrivals: readonly Arrival[], windowMs: number): number {
  const inOrder = arrivals.toSorted((a, b) => a.at - b.at);
  let [worst, sum, from] = [0, 0, 0];
  for (const { at, weight } of inOrder) {
    sum += weight;
    for (let oldest = inOrder[from]; oldest && oldest.at < at - windowMs; oldest = inOrder[from]) {
      sum -= oldest.weight;
      from += 1;
    }
    worst = Math.max(worst, sum);
  }
  return worst;
}

/** The most weight in one of the windows that follow each other, wherever the first begins. */
export function worstFixed(
  arrivals: readonly Arrival[],
  windowMs: number,
  alignments = 100,
): number {
  let worst = 0;
  for (let step = 0; step < alignments; step += 1) {
    const sums = new Map<number, number>();
    for (const { at, weight } of arrivals) {
      const window = Math.floor((at + (step * windowMs) / alignments) / windowMs);
      sums.set(window, (sums.get(window) ?? 0) + weight);
    }
    worst = Math.max(worst, ...sums.values());
  }
  return worst;
}
