import { textOf, type Amount } from '../../base/decimal.ts';
import { covers, openEnd, subtract, type Interval } from '../../base/interval.ts';
import { coveredSpans } from '../reconciliation/reconciliationReader.ts';
import { withFile } from '../storage/ledgerFile.ts';
import { withStorageErrors } from '../storage/storageErrors.ts';
import { orProblem, withBotBook, type BotSource, type Problem } from './botFile.ts';
import {
  judgements,
  mostListed,
  type BotBook,
  type ComparedRow,
  type Comparison,
  type ComparisonChoices,
  type FigurePair,
} from './comparison.ts';
import { findConventions } from './conventions.ts';
import { datedFunding, judgedFunding } from './funding.ts';
import { hasUnknownOrder, judgedRows, type JudgedRow } from './judgement.ts';
import { comparisonReader, type ComparisonReader } from './ledgerReader.ts';
import { matchRows, matchSymbols, periodOfTimes, timesOfBot } from './matching.ts';
import { Totals } from './totals.ts';

export type ComparedBook = Comparison | Problem;

/** Compares the books of a bot with the file of a ledger. Both may be in use, and stay as they are. */
export function compareFile(
  ledgerFile: string,
  source: BotSource,
  choices: ComparisonChoices,
): ComparedBook {
  return orProblem(() =>
    withBotBook(source, (book) =>
      // What is wrong with the ledger is no fault of the bot's file.
      withStorageErrors(() =>
        withFile(ledgerFile, (database) => {
          // A comparison reads each record once.
          database.exec('PRAGMA cache_size = -16384');
          return compareBook(book, comparisonReader(database), choices);
        }),
      ),
    ),
  );
}

const histories = ['trades', 'futureTransactions', 'orders'] as const;
type ComparedHistory = (typeof histories)[number];

/** Compares a bot's books with a ledger, row by row. */
export function compareBook(
  book: BotBook,
  reader: ComparisonReader,
  choices: ComparisonChoices,
): Comparison {
  const symbols = matchSymbols(book, reader, choices);
  const matches = matchRows(book, reader, symbols);
  const conventions = findConventions(book, matches.pairs, symbols, choices, reader);
  const period = periodOfTimes(matches.pairs.flatMap(timesOfBot));
  const covered = {
    trades: coveredSpans(reader, ['trades']),
    futureTransactions: coveredSpans(reader, ['futureTransactions']),
    orders: coveredSpans(reader, ['orders']),
  };
  const fundingEnd = covered.futureTransactions.at(-1)?.to ?? 0;
  const accounts = new Set(matches.pairs.flatMap(({ row, fills }) => (fills ? row.account : [])));
  const isOfAccount = ({ account }: { readonly account: string | null }): boolean =>
    account === null || accounts.has(account);
  const funding =
    book.funding && datedFunding(book.funding.filter(isOfAccount), period, fundingEnd);
  const gapsOf = (history: ComparedHistory) => {
    const needed = history === 'futureTransactions' ? funding?.period : period;
    const gaps = subtract(needed ? [needed] : [], covered[history]);
    return gaps.map((gap) => ({ ...gap, history }));
  };
  const isComplete = (from: number, to: number) => covers(covered.trades, { from, to: to + 1 });
  const hasOrders = period !== null && gapsOf('orders').length === 0;
  const tally = new Tally(
    new Totals((symbol) => reader.marginAssetOf(symbol), book.unreadRows === 0),
  );
  const judged = { book, matches, conventions, reader, isOfAccount, isComplete, hasOrders };
  for (const row of judgedRows({ ...judged, period: period ?? noPeriod })) tally.add(row);
  if (funding) {
    const records = [...reader.records('futureTransactions', funding.period ?? noPeriod)];
    const paid = records.filter(({ record }) => record.type === 'FUNDING_FEE');
    for (const row of judgedFunding(funding, paid, covered.futureTransactions)) tally.add(row);
  }
  const isNeeded = (history: ComparedHistory): boolean =>
    history !== 'orders' || hasUnknownOrder(matches);
  return {
    ...{ bot: book.bot, period, unreadRows: book.unreadRows },
    gaps: histories.filter(isNeeded).flatMap(gapsOf),
    conventions: conventions.shown,
    ...tally.result(
      (figure) => gapsOf(figure === 'funding' ? 'futureTransactions' : 'trades').length === 0,
    ),
  };
}

/** Of a book without a time: no trade is in it. */
const noPeriod: Interval = { from: openEnd, to: openEnd };

/** Counts and adds up all rows, and keeps what is listed of them. */
class Tally {
  private readonly totals: Totals;
  private readonly counts = { differs: 0, onlyBot: 0, onlyExchange: 0, undecided: 0, agrees: 0 };
  private likely = 0;
  private noisy = 0;
  private rows: JudgedRow[] = [];

  constructor(totals: Totals) {
    this.totals = totals;
  }

  add(row: JudgedRow): void {
    const { judgement, isLikely, isNoisy } = row;
    this.totals.add(row);
    this.counts[judgement] += 1;
    this.likely += Number(isLikely);
    this.noisy += Number(isNoisy && judgement === 'agrees');
    this.rows.push(row);
    if (this.rows.length >= 2 * mostListed) this.rows = this.firstRows();
  }

  result(
    isComplete: Parameters<Totals['result']>[0],
  ): Pick<Comparison, 'counts' | 'likely' | 'noisy' | 'totals' | 'rows' | 'firstDivergent'> {
    const { counts, likely, noisy } = this;
    const rows = this.firstRows().map(written);
    const [first = null] = rows;
    return {
      ...{ counts, likely, noisy, totals: this.totals.result(isComplete), rows },
      firstDivergent: first && rankOf(first) === 0 ? first : null,
    };
  }

  private firstRows(): JudgedRow[] {
    const first = (one: JudgedRow, other: JudgedRow): number =>
      rankOf(one) - rankOf(other) || timeOf(one) - timeOf(other);
    return this.rows.toSorted(first).slice(0, mostListed);
  }
}

/** What diverges is first, then what is undecided. */
function rankOf({ judgement }: Pick<ComparedRow, 'judgement'>): number {
  return Math.max(0, judgements.indexOf(judgement) - judgements.indexOf('undecided') + 1);
}

/** What has no time is last. */
function timeOf({ time }: JudgedRow): number {
  return time ?? openEnd;
}

function written({ figures, ...row }: JudgedRow): ComparedRow {
  const texts = Object.entries(figures).map(
    ([name, [bot, exchange]]: [string, FigurePair<Amount>]) => [
      name,
      [bot && textOf(bot), exchange && textOf(exchange)],
    ],
  );
  return { ...row, figures: Object.fromEntries(texts) as ComparedRow['figures'] };
}
