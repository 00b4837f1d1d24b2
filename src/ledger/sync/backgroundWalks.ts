import { clip, type Interval } from '../../base/interval.ts';
import { dayMs, hourMs } from '../../base/time.ts';
import { commitDelayMs } from '../../exchange/history/readToEnd.ts';
import { ExchangeError } from '../../exchange/exchangeError.ts';
import { weightOf, type LedgerHistory, type SavedWalk } from '../ledger.ts';
import { readParts, unprovenTail, unwalkedPart } from './tail.ts';
import type { TailReaderOptions } from './tailReader.ts';
import type { WalkRunner } from './walkRunner.ts';
import { KeepCurrentOffError, type WeightBudget } from './weightBudget.ts';

type BackgroundWalkOptions = TailReaderOptions & {
  readonly runner: WalkRunner;
  readonly budget: WeightBudget;
  /** A walk failed. It continues once something else is read in the background. */
  readonly onProblem: (error: unknown) => void;
};

/** How far back an order or a lot may change. */
const changingMs = 90 * dayMs;

/** The walks that keep a ledger current: gaps, unproven periods, and orders and lots that may have changed. */
export class BackgroundWalks {
  private readonly options: BackgroundWalkOptions;
  private running: Promise<void> | undefined;
  /** A walk may have been begun since the last look. */
  private isLookDue = false;
  /** Up to where parts that no page proved have a walk: none is walked twice. */
  private readonly walkedTo = new Map<LedgerHistory, number>();

  constructor(options: BackgroundWalkOptions) {
    this.options = options;
  }

  /** Continues unfinished walks until all is read, or joins the run that does. Never rejects. */
  run(signal: AbortSignal): Promise<void> {
    this.isLookDue = true;
    this.running ??= this.runAll(signal)
      .catch((error: unknown) => {
        if (!signal.aborted && !(error instanceof KeepCurrentOffError))
          this.options.onProblem(error);
      })
      .finally(() => (this.running = undefined));
    return this.running;
  }

  /** Begins a walk over the newest rows if no page could prove them, or over older ones, once. */
  async proveTail(history: LedgerHistory): Promise<void> {
    const parts = await readParts(this.options.writer, history);
    const tail = unprovenTail(parts);
    const part = tail ?? unwalkedPart(parts, this.walkedTo.get(history) ?? 0);
    if (part && (await this.begin(history, part)) && !tail) this.walkedTo.set(history, part.to);
  }

  /**
   * Begins a walk over the last 90 days of orders or lots, as far as they were downloaded, if the last
   * one is a day old; with a reason to expect changes, an hour. Whether they are read again.
   */
  async readAgain(history: 'orders' | 'lots', expectsChanges: boolean): Promise<boolean> {
    const now = this.options.client.serverNow();
    const recent = { from: now - changingMs, to: now - commitDelayMs };
    const parts = await readParts(this.options.writer, history);
    const reads = parts.filter((part) => part.asOf !== null && clip([part], recent).length > 0);
    const oldest = Math.min(...reads.map(({ asOf }) => asOf ?? now));
    if (now - oldest < (expectsChanges ? hourMs : dayMs)) return false;
    const from = Math.max(recent.from, reads[0]?.from ?? 0);
    return this.begin(history, { ...recent, from });
  }

  /** False if another walk of the history has to end first. */
  private async begin(history: LedgerHistory, interval: Interval): Promise<boolean> {
    const { writer, client } = this.options;
    const isBegun = (await this.walks()).some((walk) => walk.history === history);
    if (isBegun) return false;
    const asOf = client.serverNow();
    await writer.beginWalk({ ...interval, history, asOf, purpose: 'current' });
    return true;
  }

  private async runAll(signal: AbortSignal): Promise<void> {
    const { runner, budget } = this.options;
    const refused = new Map<number, ExchangeError>();
    while (this.isLookDue) {
      this.isLookDue = false;
      const walk = (await this.walks()).find(({ id }) => !refused.has(id));
      if (!walk) continue;
      const options = {
        signal,
        beforeRequest: () => budget.take(weightOf(walk.history), true, signal),
      };
      await runner.run(walk, options).catch((error: unknown) => {
        // What the exchange refuses holds up no other walk.
        if (!isRefusal(error)) throw error;
        refused.set(walk.id, error);
      });
      this.isLookDue = true;
    }
    const [problem] = refused.values();
    if (problem) throw problem;
  }

  private async walks(): Promise<readonly SavedWalk[]> {
    const walks = await this.options.writer.unfinishedWalks();
    return walks.filter(({ purpose, isPaused }) => purpose === 'current' && !isPaused);
  }
}

function isRefusal(error: unknown): error is ExchangeError {
  return error instanceof ExchangeError && error.failure.kind === 'refused';
}
