import { openStart } from '../../base/interval.ts';
import { dayMs, minuteMs } from '../../base/time.ts';
import { operations } from '../../api/operations.ts';
import type { ExchangeClient } from '../../exchange/client.ts';
import { timeOf } from '../../exchange/history/historyRecords.ts';
import { readToEnd } from '../../exchange/history/readToEnd.ts';
import type { WalkCursor } from '../../exchange/history/walk/cursor.ts';
import {
  ledgerHistories,
  ledgerHistoryNames,
  operationOf,
  type LedgerHistory,
  type LedgerReader,
  type LedgerWriter,
} from '../ledger.ts';
import type { WeightBudget } from './weightBudget.ts';

type OldestRowsOptions = {
  readonly client: Pick<ExchangeClient, 'history' | 'conventions' | 'exchangeInfo' | 'serverNow'>;
  readonly store: Pick<LedgerReader, 'rows' | 'oldestRows'> &
    Pick<LedgerWriter, 'coverage' | 'noteOldestRow'>;
  readonly budget: Pick<WeightBudget, 'take'>;
};

const everyMs = dayMs;
/** A history that takes more requests to read from its oldest row on is not looked at. */
const mostReads = 30;

/** Notes once a day which row of each downloaded history is the oldest that the exchange lists. It stores no row. */
export class OldestRows {
  private readonly options: OldestRowsOptions;
  private readonly lookedAt = new Map<LedgerHistory, number>();
  private running: Promise<boolean> | undefined;

  constructor(options: OldestRowsOptions) {
    this.options = options;
  }

  /** Whether something was noted. Rejects with ExchangeError, LedgerError, KeepCurrentOffError or the signal's reason. */
  look(signal: AbortSignal): Promise<boolean> {
    this.running ??= this.lookAtAll(signal).finally(() => (this.running = undefined));
    return this.running;
  }

  private async lookAtAll(signal: AbortSignal): Promise<boolean> {
    let isNoted = false;
    for (const history of ledgerHistoryNames)
      isNoted = (await this.lookAt(history, signal)) || isNoted;
    return isNoted;
  }

  private async lookAt(history: LedgerHistory, signal: AbortSignal): Promise<boolean> {
    const { client, store } = this.options;
    const now = client.serverNow();
    if (Math.abs(now - (this.lookedAt.get(history) ?? -Infinity)) < everyMs) return false;
    const last = (await store.oldestRows(history)).at(-1);
    if (last && Math.abs(now - last.lastSeenAt) < everyMs) return false;
    const range = await this.rangeOf(history, last, now);
    // Before the first download, it is not a day old.
    if (!range) return false;
    this.lookedAt.set(history, now);
    const time = await this.oldestIn(history, range, signal);
    if (time !== undefined) await store.noteOldestRow(history, time, now);
    return time !== undefined;
  }

  /**
   * From before the oldest row that is known, to after the row that is the oldest if rows left since. Nothing is
   * added before a row that was the oldest.
   */
  private async rangeOf(
    history: LedgerHistory,
    last: { readonly time: number; readonly lastSeenAt: number } | undefined,
    now: number,
  ) {
    const { store } = this.options;
    if (last) {
      const from = last.time + (now - last.lastSeenAt);
      const query = { filters: {}, search: '', sort: { field: 'time', isDescending: false } };
      const period = { from, to: now };
      const { rows } = await store.rows({ ...query, history, period, isListed: true }, 0, 1);
      const next = timeOf(rows[0] ?? {}) ?? from + dayMs;
      return { from: last.time - dayMs, to: Math.min(next + minuteMs, now - minuteMs) };
    }
    const reads = await store.coverage(history);
    const from = Math.min(...reads.map((read) => read.from));
    const isKnown = reads.length > 0 && from !== openStart;
    return isKnown ? { from: openStart, to: Math.min(from + dayMs, now - minuteMs) } : undefined;
  }

  /** Undefined if there is none, or if it is not proved. */
  private async oldestIn(
    history: LedgerHistory,
    range: { readonly from: number; readonly to: number },
    signal: AbortSignal,
  ): Promise<number | undefined> {
    const { client, budget } = this.options;
    const { weight } = operations[operationOf(history)];
    const enough = new AbortController();
    let reads = 0;
    let cursor: WalkCursor | undefined;
    let oldest = Infinity;
    const reading = readToEnd({
      client,
      range,
      selection: ledgerHistories[history],
      filteredHere: [],
      signal: AbortSignal.any([signal, enough.signal]),
      savedCursor: () => cursor,
      beforeRequest: () => {
        reads += 1;
        if (reads > mostReads) enough.abort();
        return budget.take(weight, true, AbortSignal.any([signal, enough.signal]));
      },
      onStep: (step) => {
        cursor = step.cursor;
        oldest = Math.min(oldest, ...step.items.map((row) => timeOf(row) ?? -Infinity));
        return Promise.resolve();
      },
    });
    const end = await reading.catch((error: unknown) => {
      if (enough.signal.aborted && !signal.aborted) return undefined;
      throw error;
    });
    const isProved = end?.result.completeness === 'complete' && Number.isFinite(oldest);
    return isProved ? oldest : undefined;
  }
}
