import { dayMs, hourMs, minuteMs, secondMs } from '../../src/base/time.ts';
import { ExchangeError } from '../../src/exchange/exchangeError.ts';
import { FileLedger } from './fileLedger.ts';
import { ledgerWrites } from './ledgerUnderTest.ts';
import { ScriptedLedger, type ScriptedExchange } from './scriptedLedger.ts';
import { randomFrom } from './walkProperties.ts';

export type LedgerRunFigures = {
  readonly runs: number;
  readonly checks: number;
  readonly lost: number;
  readonly doubled: number;
  readonly tooLate: number;
  /** How many steps ended with a period that is complete until half an hour ago or later. */
  readonly current: number;
  readonly steps: number;
  /** Of the first step that found something wrong. */
  readonly wrong: string | undefined;
};

type RunOptions = {
  readonly seed: number;
  /** Whether ids are unique only within a symbol. */
  readonly areIdsPerSymbol: boolean;
};

const stepsOfRun = 60;

/** Days of a ledger that is kept current, one run for each seed, until so many rows were compared. */
export async function checkLedgerRuns(
  { seed: firstSeed, areIdsPerSymbol }: RunOptions,
  leastChecks: number,
): Promise<LedgerRunFigures> {
  const sums = { runs: 0, checks: 0, lost: 0, doubled: 0, tooLate: 0, current: 0, steps: 0 };
  let wrong: string | undefined;
  for (let seed = firstSeed; sums.checks < leastChecks; seed += 1) {
    const run = new LedgerRun({ seed, areIdsPerSymbol }, new FileLedger());
    await run.start();
    sums.runs += 1;
    for (let step = 0; step < stepsOfRun; step += 1) {
      await run.step();
      const { checks, lost, doubled, isTooLate, behindMs } = await run.scripted.check();
      sums.steps += 1;
      sums.checks += checks;
      sums.lost += lost;
      sums.doubled += doubled;
      if (isTooLate) sums.tooLate += 1;
      if (behindMs < hourMs / 2) sums.current += 1;
      if (lost + doubled > 0 || isTooLate) wrong ??= `seed ${seed}, step ${step}`;
    }
    run.scripted.ledger.stored.close();
  }
  return { ...sums, wrong };
}

/** An account that trades, and a machine that is used. */
class LedgerRun {
  readonly scripted: ScriptedLedger;
  private readonly random: () => number;
  private readonly areIdsPerSymbol: boolean;
  /** How often rows may come while a step reads: it must end. */
  private arrivalsLeft = 0;
  private isKilled = false;

  constructor({ seed, areIdsPerSymbol }: RunOptions, ledger: FileLedger) {
    this.random = randomFrom(seed);
    this.areIdsPerSymbol = areIdsPerSymbol;
    this.scripted = new ScriptedLedger(this.habits(), ledger);
    this.scripted.onRequest = () => {
      if (this.arrivalsLeft === 0 || !this.happens(0.03)) return;
      this.arrivalsLeft -= 1;
      this.arrive();
    };
  }

  async start(): Promise<void> {
    const { scripted } = this;
    const everyMs = this.one(20 * secondMs, 7 * minuteMs, 3 * hourMs, 16 * hourMs);
    for (let left = this.one(3, 12, 30, 80); left > 0; left -= 1)
      this.add(scripted.now - left * everyMs);
    await scripted.world.client.exchangeInfo();
    await scripted.download().catch((error: unknown) => {
      if (!isRefusal(error)) throw error;
    });
  }

  async step(): Promise<void> {
    const { scripted } = this;
    const { history } = scripted.exchange;
    this.arrivalsLeft = 3;
    scripted.pass(this.one(2 * secondMs, 30 * secondMs, 10 * minuteMs, 40 * minuteMs, 8 * hourMs));
    if (this.happens(0.03)) scripted.pass(3 * dayMs);
    if (this.happens(0.05)) scripted.setClock(this.one(hourMs, -hourMs, 20 * secondMs));
    if (this.happens(0.03)) scripted.suspend(this.one(minuteMs, 5 * hourMs));
    if (this.happens(0.6)) this.arrive();
    const changed = scripted.rows[Math.floor(this.random() * scripted.rows.length)];
    if (changed && history === 'orders' && this.happens(0.3)) changed.filled += 1;
    if (this.happens(0.05)) this.killAt(this.one(0, 1, 2, 5));
    await this.synchronise().catch((error: unknown) => {
      if (!isKill(error) && !isRefusal(error)) throw error;
    });
    if (this.isKilled || this.happens(0.03)) scripted.reopen();
    this.isKilled = false;
  }

  private async synchronise(): Promise<void> {
    const { scripted } = this;
    if (this.happens(0.03)) await scripted.download();
    else if (this.happens(0.3)) await scripted.refresh();
    else await scripted.change();
    for (const problem of scripted.world.problems.splice(0))
      if (!isKill(problem) && !isRefusal(problem)) throw problem;
  }

  /** The window ends at a write: neither that nor a later one is stored. */
  private killAt(write: number): void {
    let left = write;
    this.scripted.ledger.beforeCall = (name) => {
      if (!ledgerWrites.has(name)) return;
      if (left <= 0) this.isKilled = true;
      left -= 1;
      if (this.isKilled) throw new Killed();
    };
  }

  private arrive(): void {
    const count = this.happens(0.1) ? this.one(30, 130) : this.one(1, 1, 2, 12);
    for (let left = count; left > 0; left -= 1) this.add(this.scripted.now - left * 13);
  }

  /** An exchange may list a row some seconds late. */
  private add(time: number): void {
    const { scripted } = this;
    const symbol = this.happens(0.5) ? 'btc_usdt' : 'eth_usdt';
    const listedAt = time + (this.happens(0.3) ? this.random() * 4500 : 0);
    const ofSymbol = scripted.rows.filter((row) => row.symbol === symbol).length + 1;
    const id = String(this.areIdsPerSymbol ? ofSymbol : scripted.rows.length + 1);
    scripted.add({ id, symbol, time, listedAt });
  }

  private habits(): Partial<ScriptedExchange> {
    const rows = this.one(500, 500, 50, 19, 12);
    const isUneven = this.happens(0.15);
    return {
      history: this.one('trades', 'trades', 'orders'),
      order: this.one('newestFirst', 'newestFirst', 'oldestFirst', 'none'),
      totals: this.one('honest', 'absent', 'ofPage'),
      pageRows: () => (isUneven ? Math.ceil(rows * (0.3 + 0.7 * this.random())) : rows),
      daysWithoutEnd: this.one(Infinity, 7, 1),
      daysWithEnd: this.one(Infinity, Infinity, Infinity, 7),
      refuses: this.one('none', 'none', 'none', 'endsAhead', 'ends'),
      ...this.one(
        {},
        { hasServerTime: false },
        { dateByMs: null },
        { dateByMs: hourMs },
        { dateByMs: -hourMs },
      ),
    };
  }

  private happens(share: number): boolean {
    return this.random() < share;
  }

  private one<T>(...values: readonly T[]): T {
    return values[Math.floor(this.random() * values.length)] as T;
  }
}

class Killed extends Error {}

function isKill(error: unknown): boolean {
  return error instanceof Killed;
}

function isRefusal(error: unknown): boolean {
  return error instanceof ExchangeError && error.failure.kind === 'refused';
}
