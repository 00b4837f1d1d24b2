import type { DatabaseSync } from 'node:sqlite';
import { isZero } from '../../base/decimal.ts';
import { completeIn, coverageParts } from '../coverage/coverageParts.ts';
import { contain } from '../coverage/intervals.ts';
import type { Checkpoint, Interval } from '../ledger.ts';
import { numberOf } from '../storage/sql.ts';
import { WalkStore } from '../storage/walkStore.ts';

type Moment = {
  readonly symbol: string | null;
  readonly sentAt: number;
  readonly answeredAt: number;
};

/** Which positions were open, as far as checkpoints and trades prove it. */
export class OpenPositions {
  private readonly database: DatabaseSync;
  private readonly complete: readonly Interval[];
  private readonly known = new Map<number, string | null>();

  constructor(database: DatabaseSync) {
    this.database = database;
    const reads = new WalkStore(database).coverage('trades');
    const allTime = { from: 0, to: Number.MAX_SAFE_INTEGER };
    this.complete = completeIn(coverageParts('trades', reads, allTime));
  }

  /** The symbol of the only position at a moment; null if there may have been another one. */
  onlySymbolAt(time: number): string | null {
    const known = this.known.get(time);
    if (known !== undefined) return known;
    const symbol = this.findSymbol(time);
    this.known.set(time, symbol);
    return symbol;
  }

  /** The same position before and after, and no trade of another symbol between. */
  private findSymbol(time: number): string | null {
    const before = this.momentOf('answeredAt < ? ORDER BY answeredAt DESC, rowid DESC', time);
    const after = this.momentOf(
      'answeredAt > ? AND sentAt > ? ORDER BY answeredAt, rowid',
      time,
      time,
    );
    if (!before?.symbol || before.symbol !== after?.symbol) return null;
    const [from, to] = [before.sentAt, after.answeredAt + 1];
    if (!contain(this.complete, { from, to })) return null;
    const others =
      'SELECT EXISTS (SELECT 1 FROM trades WHERE time >= ? AND time < ? AND symbol <> ?)';
    return numberOf(this.database, others, from, to, before.symbol) === 0 ? before.symbol : null;
  }

  private momentOf(where: string, ...times: readonly number[]): Moment | undefined {
    const row = this.database
      .prepare(`SELECT sentAt, answeredAt, json FROM checkpoints WHERE ${where} LIMIT 1`)
      .get(...times);
    if (!row) return undefined;
    const { positions } = JSON.parse(String(row.json)) as Checkpoint;
    return {
      symbol: onlySymbol(positions),
      sentAt: Number(row.sentAt),
      answeredAt: Number(row.answeredAt),
    };
  }
}

function onlySymbol(positions: Checkpoint['positions']): string | null {
  const open = positions?.filter(({ amount }) => amount === null || !isZero(amount)) ?? [];
  const symbols = new Set(open.map(({ symbol }) => symbol));
  return symbols.size === 1 ? (open[0]?.symbol ?? null) : null;
}
