import assert from 'node:assert/strict';
import { copyFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { always, type Interval } from '../../src/base/interval.ts';
import { analysedViews, firstChoices } from '../../src/host/analysis/choices.ts';
import { sum } from '../../src/base/decimal.ts';
import { dayMs, hourMs } from '../../src/base/time.ts';
import type { Trade, Transaction } from '../../src/exchange/records.ts';
import { analyseFile } from '../../src/ledger/analysis/analyse.ts';
import type { AnalysisOf, AnalysisView } from '../../src/ledger/analysis/analysis.ts';
import type { Checkpoint } from '../../src/ledger/ledger.ts';
import { openDatabase } from '../../src/ledger/storage/ledgerFile.ts';
import { SeededRandom } from '../../src/practice/market/seededRandom.ts';
import type { ChartData } from '../../src/protocol/chart.ts';
import type { Card, ChartBlock } from '../../src/protocol/document.ts';
import { writeLedger } from './analysedLedger.ts';
import { analysisParts, documentOf, readDocument, type AnalysisParts } from './analysisParts.ts';
import { aProfile, aTrade, aTransaction, unknownFees } from './builders.ts';

const days = 90;
const start = Date.UTC(2026, 6, 1);
const end = start + days * dayMs;
const rates = { tier: '1', maker: '0.0001', taker: '0.0005' };
const histories = ['trades', 'futureTransactions', 'spotTransactions'] as const;
const views = [
  'summary',
  'realizedPl',
  'fees',
  'funding',
  'cashFlow',
  'cash',
  'drawdown',
  'feeAudit',
] as const;

/** How many periods of a ledger are tried. */
const periodCount = 6;

type LineData = ChartData['series'][number];

/** Ninety days of an account: an order an hour or so, what it books, funding, and deposits. */
class WholeAccount {
  readonly trades: Trade[] = [];
  readonly futureTransactions: Transaction[] = [];
  readonly spotTransactions: Transaction[] = [];
  readonly checkpoints: Checkpoint[] = [];
  private readonly random: SeededRandom;
  private readonly balances: Record<string, string> = { usdt: '10000', bnb: '3' };
  private lastId = 0;

  constructor(random: SeededRandom) {
    this.random = random;
    for (let time = start + hourMs; time < end; time += random.integer(1, 12) * hourMs) {
      if (random.chance(60)) this.trade(time);
      if (random.chance(30)) this.book('usdt', 'FUNDING_FEE', this.amount(3), time + 1000);
      if (random.chance(10)) this.book(random.chance(70) ? 'usdt' : 'bnb', 'DEPOSIT', '50', time);
      if (random.chance(10))
        this.spotTransactions.push(this.transaction('usdt', 'REWARD', '1', time));
      this.checkpoints.push(this.checkpoint(time + 60_000));
    }
  }

  private trade(time: number): void {
    const { random } = this;
    const [price, maker] = [String(random.integer(40_000, 60_000)), random.chance(30)];
    const rate = maker ? 10 : 50;
    const fee = ((Number(price) * rate) / 1e7).toFixed(5);
    const rpnl = random.chance(50) ? '0' : this.amount(100);
    const symbol = random.chance(60) ? 'btc_usdt' : 'eth_usdt';
    const id = this.nextId();
    const fields = {
      tradeId: id,
      orderId: id,
      time: String(time),
      symbol,
      maker,
      fee,
      rpnl,
      price,
    };
    this.trades.push(aTrade({ ...fields, amount: '0.01', type: 'ORDER_BOOK' }));
    this.book('usdt', 'FEE', `-${fee}`, time);
    if (rpnl !== '0') this.book('usdt', 'REALIZED_PL', rpnl, time);
  }

  private amount(most: number): string {
    return String(this.random.integer(-most * 100, most * 120) / 100);
  }

  private book(asset: string, type: Transaction['type'], amount: string, time: number): void {
    this.balances[asset] = sum([this.balances[asset] ?? '0', amount]);
    this.futureTransactions.push(this.transaction(asset, type, amount, time));
  }

  private transaction(asset: string, type: Transaction['type'], amount: string, time: number) {
    return aTransaction({ transactionId: this.nextId(), asset, type, amount, time: String(time) });
  }

  private checkpoint(at: number): Checkpoint {
    const assets = Object.entries(this.balances).map(([name, deposited]) => {
      return { name, deposited, margin: deposited, locked: '0' };
    });
    const equity = this.balances.usdt ?? null;
    const fees = { tier: '1', discount: '0', rates, table: [rates] };
    const times = { sentAt: at - 100, answeredAt: at, clockErrorMs: 10, fees: unknownFees };
    return { ...times, assets, positions: [], equity, upl: '0', fees };
  }

  private nextId(): string {
    return String((this.lastId += 1));
  }
}

/** Compares what the page shows of parts of a ledger with what it shows of the whole. */
export class CoverageTrials {
  private readonly folder: string;
  private readonly seed: number;
  private readonly whole: string;
  /** The pages of the whole, by period. */
  private readonly ofWhole = new Map<number, readonly AnalysisParts[]>();
  /** How many figures without a mark were compared, and how many had one. */
  readonly compared = { unmarked: 0, marked: 0 };

  constructor(folder: string, seed: number) {
    this.folder = folder;
    this.seed = seed;
    this.whole = path.join(folder, `whole${seed}.sqlite`);
    const { trades, futureTransactions, spotTransactions, checkpoints } = new WholeAccount(
      new SeededRandom(`${seed}/account`),
    );
    const records = { trades, futureTransactions, spotTransactions };
    const ledger = writeLedger(this.whole, { records, checkpoints });
    const listed = ['btc_usdt', 'eth_usdt'].map((symbol) => {
      return { symbol, marginAsset: 'usdt', quoteAsset: 'usdt' };
    });
    ledger.keepSymbols(listed);
    ledger.close();
  }

  /** Each of so many random coverages, with every view of a random period. */
  run(count: number): void {
    for (let trial = 0; trial < count; trial += 1) {
      const random = new SeededRandom(`${this.seed}/${trial}`);
      const part = path.join(this.folder, 'part.sqlite');
      copyFileSync(this.whole, part);
      keepPart(part, random);
      const periodNumber = trial % periodCount;
      const period = somePeriod(new SeededRandom(`${this.seed}/period${periodNumber}`));
      const ofWhole = this.ofWhole.get(periodNumber) ?? documentsOf(this.whole, period);
      this.ofWhole.set(periodNumber, ofWhole);
      const ofPart = documentsOf(part, period);
      for (const [index, view] of views.entries()) {
        const [whole, shown] = [ofWhole[index], ofPart[index]];
        if (whole && shown) this.compare(`${this.seed}/${trial} ${view}`, whole, shown);
      }
      rmSync(part);
    }
  }

  private compare(name: string, whole: AnalysisParts, part: AnalysisParts): void {
    const charts = new Map(whole.charts.map((chart) => [chart.title, chart]));
    for (const chart of part.charts) this.compareChart(name, charts.get(chart.title), chart);
    const sections = new Map(whole.numbers.map((section) => [section.title, section]));
    for (const { title, cards } of part.numbers)
      for (const card of cards) {
        const same = sections.get(title)?.cards.find(({ label }) => label === card.label);
        this.compareCard(`${name} ${title}`, same, card);
      }
    for (const [index, table] of part.tables.entries())
      if (!this.isMarked(table.title.includes('Incomplete')))
        assert.deepEqual(table, whole.tables[index], name);
  }

  private compareChart(name: string, whole: ChartBlock | undefined, chart: ChartBlock): void {
    if (!this.isMarked(chart.incomplete !== null))
      assert.equal(chart.summary, whole?.summary, `${name} ${chart.title}`);
    this.compareBars(name, whole?.data ?? null, chart.data);
  }

  /** What is not hatched. */
  private compareBars(name: string, whole: ChartData | null, part: ChartData | null): void {
    if (whole?.kind !== 'bars' || part?.kind !== 'bars') return;
    const starts: readonly number[] = part.from;
    for (const { label, values, isLine } of part.series)
      for (const [point, from] of starts.entries()) {
        const to = starts[point + 1] ?? part.to;
        if (this.isMarked(part.gaps.some((gap) => gap.from < to && from < gap.to))) continue;
        const wholeAt = (each: LineData): string[] =>
          [each.values[whole.from.indexOf(from)] ?? []].flat();
        const bars: readonly LineData[] = whole.series.filter((each) =>
          isLine ? !each.isLine : each.label === label,
        );
        // The line of the whole is one of all bars; that of a part begins again after a gap.
        const before = isLine ? [values[point - 1] ?? '0'] : [];
        const all: readonly string[] = [...before, ...bars.flatMap(wholeAt)];
        const expected: string | null = all.length === 0 ? null : sum(all);
        assert.equal(values[point] ?? null, expected, `${name} ${label} ${from}`);
      }
  }

  private compareCard(
    name: string,
    whole: Card | undefined,
    { incomplete = null, ...card }: Card,
  ): void {
    const at = `${name} ${card.label}`;
    const texts = card.lines.map(({ text }) => text);
    const isOpen = texts.every((text) => text === '—' || text === 'not computable');
    if (!this.isMarked(incomplete !== null || isOpen))
      assert.deepEqual(
        texts,
        whole?.lines.map(({ text }) => text),
        at,
      );
    // The mark of a card is that of its notes.
    if (card.label === 'Net P&L' && incomplete === null)
      assert.deepEqual(card.notes, whole?.notes, at);
  }

  private isMarked(isMarked: boolean): boolean {
    this.compared[isMarked ? 'marked' : 'unmarked'] += 1;
    return isMarked;
  }
}

/** Random periods of each history are complete; of the others, a random share of the rows is there. */
function keepPart(file: string, random: SeededRandom): void {
  const database = openDatabase(file, false);
  database.exec('DELETE FROM coverage');
  for (const history of histories) {
    const reads = random.chance(30) ? [{ from: 0, to: end }] : someReads(random);
    const isOutside = reads.map(() => 'NOT (time >= ? AND time < ?)').join(' AND ') || '1';
    const share = random.integer(0, 3);
    database
      .prepare(`DELETE FROM ${history} WHERE ${isOutside} AND row % 3 >= ?`)
      .run(...reads.flatMap(({ from, to }) => [from, to]), share);
    const cover = database.prepare(
      `INSERT INTO coverage (history, "from", "to", completeness, reason, asOf) VALUES (?, ?, ?, ?, ?, ?)`,
    );
    for (const { from, to } of reads) cover.run(history, from, to, 'complete', null, end + dayMs);
    if (random.chance(30)) cover.run(history, start, end, 'unknown', 'pages', start);
  }
  database.close();
}

function someReads(random: SeededRandom): readonly Interval[] {
  const hour = (): number => start + random.integer(0, days * 24) * hourMs;
  const ends = Array.from({ length: 2 * random.integer(0, 3) }, hour).sort(
    (one, other) => one - other,
  );
  const reads = ends.flatMap((from, index) => {
    const to = ends[index + 1];
    return index % 2 === 0 && to !== undefined && from < to ? [{ from, to }] : [];
  });
  const [first, ...others] = reads;
  return first && random.chance(30) ? [{ ...first, from: 0 }, ...others] : reads;
}

function somePeriod(random: SeededRandom): Interval {
  if (random.chance(20)) return always;
  const first = random.integer(0, days - 1);
  const to = start + random.integer(first + 1, days) * dayMs;
  return { from: start + first * dayMs, to };
}

/** The pages of the views, in their order. */
function documentsOf(file: string, period: Interval): readonly AnalysisParts[] {
  const ask = <View extends AnalysisView>(view: View): AnalysisOf<View> => {
    const asked = { period, now: end, zone: 'UTC', groupBy: 'day', splitBy: 'asset' } as const;
    return analyseFile(file, { ...asked, account: 'FUTURE', view }) as AnalysisOf<View>;
  };
  const shared = { numbers: ask('numbers'), equity: ask('equity') };
  return views.map((view) => {
    const analysis = ask(analysedViews[view]);
    const choices = { ...firstChoices, view, period: '' };
    const read = { analysis, summary: view === 'summary' ? shared : null };
    const state = { kind: 'read', profile: aProfile(), id: 1, choices, read } as const;
    return analysisParts(readDocument(documentOf(state)));
  });
}
