import type { DatabaseSync } from 'node:sqlite';
import { always, covers, type Interval } from '../../base/interval.ts';
import { isZero } from '../../base/decimal.ts';
import { completeIn, coverageParts } from '../coverage/coverageParts.ts';
import type { Checkpoint } from '../ledger.ts';
import { checkpointsWhere } from '../storage/checkpointStore.ts';
import { numberOf } from '../storage/sql.ts';
import { WalkStore } from '../storage/walkStore.ts';

/** The symbol of the only position at a moment, as far as checkpoints and trades prove it; null if they do not. */
export function onlyOpenSymbol(database: DatabaseSync): (time: number) => string | null {
  const reads = new WalkStore(database).coverage('trades');
  const complete = completeIn(coverageParts('trades', reads, always));
  const known = new Map<number, string | null>();
  return (time) => {
    if (!known.has(time)) known.set(time, findSymbol(database, complete, time));
    return known.get(time) ?? null;
  };
}

/** The same position before and after, and no trade of another symbol between. */
function findSymbol(
  database: DatabaseSync,
  complete: readonly Interval[],
  time: number,
): string | null {
  const earlier = 'answeredAt < ? ORDER BY answeredAt DESC, rowid DESC';
  const later = 'answeredAt > ? AND sentAt > ? ORDER BY answeredAt, rowid';
  const before = momentOf(database, earlier, time);
  const after = momentOf(database, later, time, time);
  if (!before?.symbol || before.symbol !== after?.symbol) return null;
  const [from, to] = [before.sentAt, after.answeredAt + 1];
  if (!covers(complete, { from, to })) return null;
  const others =
    'SELECT EXISTS (SELECT 1 FROM trades WHERE time >= ? AND time < ? AND symbol <> ?)';
  return numberOf(database, others, from, to, before.symbol) === 0 ? before.symbol : null;
}

function momentOf(database: DatabaseSync, where: string, ...times: readonly number[]) {
  const [found] = checkpointsWhere(database, `${where} LIMIT 1`, ...times);
  return found && { ...found, symbol: onlySymbol(found.positions) };
}

function onlySymbol(positions: Checkpoint['positions']): string | null {
  const open = positions?.filter(({ amount }) => amount === null || !isZero(amount)) ?? [];
  const symbols = new Set(open.map(({ symbol }) => symbol));
  return symbols.size === 1 ? (open[0]?.symbol ?? null) : null;
}
