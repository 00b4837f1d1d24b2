import { dayMs } from '../../base/time.ts';
import type { Checkpoint, LedgerReader } from '../../ledger/ledger.ts';
import { bracketOf } from '../../ledger/reconciliation/bracket.ts';

/** What the exchange said of the account last before a moment, and first after it. */
export type NearestCheckpoints = {
  readonly before: Checkpoint | null;
  readonly after: Checkpoint | null;
};

/** Of the times that are looked through at first; while they have no checkpoint, longer ones. */
const firstSpanMs = dayMs / 4;
const longestSpanMs = 40_000 * dayMs;

/** The whole bracket of a checkpoint lies before the moment, or after it. */
export async function nearestCheckpoints(
  reader: Pick<LedgerReader, 'checkpoints'>,
  moment: number,
): Promise<NearestCheckpoints> {
  const before = await nearest((spanMs) =>
    reader
      .checkpoints({ from: moment - spanMs, to: moment })
      .then((all) => all.findLast((checkpoint) => bracketOf(checkpoint).to <= moment)),
  );
  const after = await nearest((spanMs) =>
    reader
      .checkpoints({ from: moment, to: moment + spanMs })
      .then((all) => all.find((checkpoint) => bracketOf(checkpoint).from >= moment)),
  );
  return { before, after };
}

async function nearest(
  find: (spanMs: number) => Promise<Checkpoint | undefined>,
): Promise<Checkpoint | null> {
  for (let spanMs = firstSpanMs; spanMs <= longestSpanMs; spanMs *= 8) {
    const found = await find(spanMs);
    if (found) return found;
  }
  return null;
}
