import { openStart, type Interval } from '../../base/interval.ts';
import { dayMs, hourMs } from '../../base/time.ts';
import type { ExchangeClient } from '../../exchange/client.ts';
import { timeOf } from '../../exchange/history/records.ts';
import { readToEnd } from '../../exchange/history/readToEnd.ts';
import type { WalkCursor } from '../../exchange/history/walk/cursor.ts';
import { ledgerHistories, ledgerHistoryNames, weightOf, type LedgerHistory } from '../ledger.ts';
import type { LedgerClient } from '../ledgerClient.ts';
import type { WeightBudget } from './weightBudget.ts';

type OldestRowsOptions = {
  readonly client: Pick<ExchangeClient, 'history' | 'conventions' | 'exchangeInfo' | 'serverNow'>;
  readonly store: Pick<LedgerClient, 'rows' | 'coverage' | 'oldestRows' | 'noteOldestRow'>;
  readonly budget: Pick<WeightBudget, 'take'>;
};

/** A read that takes more requests is given up: what the exchange lists is then unknown. */
const mostReads = 30;

/** More rows may leave while a read waits for weight; before the first one, while the history was downloaded. */
const leavingMs = 2 * hourMs;

/** Notes once a day which row of each downloaded history is the oldest that the exchange lists. It stores no row. */
export class OldestRows {
  private readonly options: OldestRowsOptions;
  private readonly lookedAt = new Map<LedgerHistory, number>();
  private isLooking = false;

  constructor(options: OldestRowsOptions) {
    this.options = options;
  }

  /** Whether something was noted. Rejects with ExchangeError, LedgerError, KeepCurrentOffError or the signal's reason. */
  async look(signal: AbortSignal): Promise<boolean> {
    if (this.isLooking) return false;
    this.isLooking = true;
    let isNoted = false;
    try {
      for (const history of ledgerHistoryNames)
        if (await this.lookAt(history, signal)) isNoted = true;
    } finally {
      this.isLooking = false;
    }
    return isNoted;
  }

  private async lookAt(history: LedgerHistory, signal: AbortSignal): Promise<boolean> {
    const { client, store } = this.options;
    const now = client.serverNow();
    const last = (await store.oldestRows(history)).at(-1);
    const lookedAt = this.lookedAt.get(history) ?? last?.lastSeenAt;
    if (lookedAt !== undefined && Math.abs(now - lookedAt) < dayMs) return false;
    const expected = last ? last.time + now - last.lastSeenAt : openStart;
    const range = await this.rangeOf(history, last?.time, { from: expected, to: now });
    if (!range) return false;
    this.lookedAt.set(history, now);
    const time = await this.oldestIn(history, range, signal);
    if (time !== undefined) await store.noteOldestRow(history, time, now);
    return time !== undefined;
  }

  /**
   * From before the oldest row that is known, if it is, up to the row that is the oldest if rows left meanwhile:
   * `expected` begins there. No row is added before one that was the oldest.
   */
  private async rangeOf(history: LedgerHistory, last: number | undefined, expected: Interval) {
    const { store } = this.options;
    const query = { filters: {}, search: '', sort: { field: 'time', isDescending: false } };
    const { rows } = await store.rows(
      { ...query, history, period: expected, isListed: true },
      0,
      1,
    );
    const next = timeOf(rows[0] ?? {}) ?? (last && expected.from + dayMs);
    if (next === undefined) return undefined;
    const isReadFromStart = (await store.coverage(history)).some(
      ({ from, completeness }) => from === openStart && completeness === 'complete',
    );
    const known = last ?? (isReadFromStart ? next : undefined);
    return {
      from: known === undefined ? openStart : known - dayMs,
      to: next + (last === undefined ? dayMs : leavingMs),
    };
  }

  /** Undefined if there is none, or if it is not proved. */
  private async oldestIn(history: LedgerHistory, range: Interval, given: AbortSignal) {
    const { client, budget } = this.options;
    const enough = new AbortController();
    const signal = AbortSignal.any([given, enough.signal]);
    let reads = 0;
    let cursor: WalkCursor | undefined;
    let oldest = Infinity;
    const reading = readToEnd({
      ...{ client, range, signal, selection: ledgerHistories[history], filteredHere: [] },
      savedCursor: () => cursor,
      beforeRequest: () => {
        if ((reads += 1) > mostReads) enough.abort();
        return budget.take(weightOf(history), true, signal);
      },
      onStep: (step) => {
        cursor = step.cursor;
        oldest = Math.min(oldest, ...step.items.map((row) => timeOf(row) ?? -Infinity));
        return Promise.resolve();
      },
    });
    const end = await reading.catch((error: unknown) => {
      if (reads <= mostReads) throw error;
    });
    const isProved = end?.result.completeness === 'complete' && Number.isFinite(oldest);
    return isProved ? oldest : undefined;
  }
}
