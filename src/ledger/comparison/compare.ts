import { textOf, type Amount } from '../../base/decimal.ts';
import { openEnd, subtract, type Interval } from '../../base/interval.ts';
import { coveredSpans } from '../reconciliation/reconciliationReader.ts';
import {
  judgements,
  mostListed,
  type BotBook,
  type ComparedRow,
  type Comparison,
  type ComparisonChoices,
  type FigurePair,
  type Judgement,
} from './comparison.ts';
import { findConventions } from './conventions.ts';
import { fundingPeriod, judgedFunding } from './funding.ts';
import { hasUnknownOrder, judgedRows, type JudgedRow } from './judgement.ts';
import type { ComparisonReader } from './ledgerReader.ts';
import { matchRows, matchSymbols, type Pair } from './matching.ts';
import { Totals } from './totals.ts';

/** Compares a bot's books with a ledger, row by row. */
export function compareBook(
  book: BotBook,
  reader: ComparisonReader,
  choices: ComparisonChoices,
): Comparison {
  const symbols = matchSymbols(book, reader, choices);
  const matches = matchRows(book, reader, symbols);
  const conventions = findConventions(book, matches.pairs, symbols, choices, reader);
  const period = periodOf(matches.pairs);
  const covered = {
    trades: coveredSpans(reader, ['trades']),
    futureTransactions: coveredSpans(reader, ['futureTransactions']),
  };
  const orders = coveredSpans(reader, ['orders']);
  const orderGaps = subtract(period ? [period] : [], orders);
  const hasOrders = period !== null && orderGaps.length === 0;
  const isCovered =
    (history: keyof typeof covered) =>
    (from: number, to: number): boolean =>
      covered[history].some((span) => span.from <= from && to < span.to);
  const isComplete = isCovered('trades');
  const tally = new Tally(
    new Totals((symbol) => reader.marginAssetOf(symbol), book.unreadRows === 0),
  );
  // Without a period, no time can be found in the ledger.
  const funding = period ? book.funding : book.funding?.map((one) => ({ ...one, from: null }));
  const fundingEnd = covered.futureTransactions.at(-1)?.to ?? 0;
  const periods = {
    trades: period,
    futureTransactions: period && fundingPeriod(period, funding ?? [], fundingEnd),
  };
  for (const row of judgedRows({
    ...{ book, matches, conventions, reader, isComplete, hasOrders },
    period: period ?? noPeriod,
  }))
    tally.add(row);
  if (funding) {
    const records = [
      ...reader.records('futureTransactions', periods.futureTransactions ?? noPeriod),
    ];
    const payments = records.filter(({ record }) => record.type === 'FUNDING_FEE');
    const isPaid = isCovered('futureTransactions');
    for (const row of judgedFunding(funding, payments, isPaid, fundingEnd)) tally.add(row);
  }
  const histories = funding ? (['trades', 'futureTransactions'] as const) : (['trades'] as const);
  const gaps = histories.flatMap((history) => {
    const read = periods[history];
    return subtract(read ? [read] : [], covered[history]).map((gap) => ({ ...gap, history }));
  });
  const isWhole = (history: keyof typeof covered): boolean =>
    gaps.every((gap) => gap.history !== history);
  const neededOrders = hasUnknownOrder(matches) ? orderGaps : [];
  return {
    ...{ bot: book.bot, period, unreadRows: book.unreadRows },
    gaps: [...gaps, ...neededOrders.map((gap) => ({ ...gap, history: 'orders' as const }))],
    conventions: conventions.shown,
    ...tally.result((figure) => isWhole(figure === 'funding' ? 'futureTransactions' : 'trades')),
  };
}

/** Of a book without a time: no trade is in it. */
const noPeriod: Interval = { from: openEnd, to: openEnd };

/** In the exchange's time. A row without a time has that of its trades. */
function periodOf(pairs: readonly Pair[]): Interval | null {
  let [from, to] = [openEnd, 0];
  for (const { row, offsetMs, fills } of pairs) {
    const time = row.timeMs === null ? fills?.lastTime : row.timeMs - offsetMs;
    if (time === undefined) continue;
    from = Math.min(from, time, fills?.firstTime ?? openEnd);
    to = Math.max(to, time + 1, (fills?.firstTime ?? 0) + 1);
  }
  return from < to ? { from, to } : null;
}

/** Counts and adds up all rows, and keeps what is listed of them. */
class Tally {
  private readonly totals: Totals;
  private readonly counts = new Map<Judgement, number>();
  private likely = 0;
  private noisy = 0;
  private readonly divergent = new FirstRows();
  private readonly undecided = new FirstRows();
  private readonly agreeing = new FirstRows();

  constructor(totals: Totals) {
    this.totals = totals;
  }

  add(row: JudgedRow): void {
    const { judgement, isLikely, isNoisy } = row;
    this.totals.add(row);
    this.counts.set(judgement, (this.counts.get(judgement) ?? 0) + 1);
    this.likely += Number(isLikely);
    this.noisy += Number(isNoisy && judgement === 'agrees');
    if (judgement === 'agrees') this.agreeing.add(row);
    else if (judgement === 'undecided') this.undecided.add(row);
    else this.divergent.add(row);
  }

  result(
    isComplete: Parameters<Totals['result']>[0],
  ): Pick<Comparison, 'counts' | 'likely' | 'noisy' | 'totals' | 'rows' | 'firstDivergent'> {
    const { likely, noisy } = this;
    const divergent = this.divergent.take();
    const listed = [...divergent, ...this.undecided.take(), ...this.agreeing.take()];
    const [first = null] = divergent;
    const counts = judgements.map((judgement) => [judgement, this.counts.get(judgement) ?? 0]);
    return {
      counts: Object.fromEntries(counts) as Comparison['counts'],
      ...{ likely, noisy, firstDivergent: first && written(first) },
      totals: this.totals.result(isComplete),
      rows: listed.slice(0, mostListed).map(written),
    };
  }
}

/** The first by time of many rows, in whatever order they come. */
class FirstRows {
  private rows: JudgedRow[] = [];

  add(row: JudgedRow): void {
    this.rows.push(row);
    if (this.rows.length >= 2 * mostListed) this.rows = this.take();
  }

  take(): JudgedRow[] {
    return this.rows.toSorted((one, other) => timeOf(one) - timeOf(other)).slice(0, mostListed);
  }
}

/** What has no time is last. */
function timeOf({ time }: JudgedRow): number {
  return time ?? openEnd;
}

function written({ figures, feeAssets: _unlisted, ...row }: JudgedRow): ComparedRow {
  const texts = Object.entries(figures).map(
    ([name, [bot, exchange]]: [string, FigurePair<Amount>]) => [
      name,
      [bot && textOf(bot), exchange && textOf(exchange)],
    ],
  );
  return { ...row, figures: Object.fromEntries(texts) as ComparedRow['figures'] };
}
