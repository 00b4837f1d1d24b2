import { openStart } from '../../base/interval.ts';
import type { ExportQuery } from '../../account/export/exportPlan.ts';
import { extremes, sum } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import { UserFacingError } from '../../base/errors.ts';
import { dayMs } from '../../base/time.ts';
import {
  coverageParts,
  longestUnreadMs,
  missingParts,
  type CoveragePart,
} from '../../ledger/coverage/coverageParts.ts';
import { LedgerError } from '../../ledger/ledgerError.ts';
import {
  ledgerHistoryNames,
  operationOf,
  type Coverage,
  type FieldSum,
  type LedgerHistory,
  type LedgerQuery,
  type LedgerRows,
} from '../../ledger/ledger.ts';
import { ledgerHistoryOf, selectionQuery } from '../../ledger/selectionQuery.ts';
import { unitNamed } from '../../protocol/cellRules.ts';
import type {
  Column,
  LedgerFigures,
  LedgerSum,
  TableName,
  TableQuery,
} from '../../protocol/table.ts';
import type { OpenLedger } from '../ledger/openLedger.ts';
import { t } from '../shared/translate.ts';
import { incompleteText, partOfPeriodText } from '../text/partOfPeriodText.ts';
import { knownSymbols, withSymbolUnits, type HistoryTable } from './definition.ts';
import { historyQuery } from './exchangeRows.ts';
import type { PanelLedger, ReadContext, RowPage } from './panelState.ts';
import { ledgerStartSize } from '../../protocol/values.ts';

/** Reads a page of a history from the ledger, with figures of all rows that match. Rejects with UserFacingError. */
export async function readLedgerRows(
  table: HistoryTable,
  { filters, page, size }: TableQuery,
  wanted: NonNullable<TableQuery['ledger']>,
  { session, ledger: { current }, display }: ReadContext,
): Promise<RowPage> {
  if (!current) throw new UserFacingError(t('This account has no ledger.'));
  const columns = withSymbolUnits(table.columns, knownSymbols(session));
  const subject = historyQuery(table, filters);
  const asked = askedOf(subject, wanted, columns, display);
  const { history } = asked;
  const now = session.serverNow();
  const versions = await withSentence(current.reader.versions());
  const [found, ledger] = await withSentence(
    Promise.all([
      current.reader.rows(asked, page * size, wanted.isStart ? ledgerStartSize : size),
      figuresOf(columns, subject, asked, current, display, now),
    ]),
  );
  const { rows: records, total, listed: matchingRows } = found;
  const unlisted = found.unlisted.map(({ index }) => index);
  return {
    records,
    part: null,
    summary: [],
    notes: notesOf(found, display),
    omittedRows: 0,
    size: String(size),
    totalPages: String(Math.max(1, Math.ceil(total / size))),
    totalElements: String(total),
    matchingRows,
    badRecords: [],
    ledger,
    stored: { history, version: versions[history], unlisted },
  };
}

/** Has the histories of a table read: transactions have one for each account. Rejects with why nothing was read. */
export async function synchronise(
  { current }: PanelLedger,
  table: TableName,
  signal: AbortSignal,
): Promise<void> {
  const histories = ledgerHistoryNames.filter((history) => operationOf(history) === table);
  const isRead = await current?.synchronise(histories, signal).catch((error: unknown) => {
    // It took over in the middle of the read, for example while this machine slept.
    if (error instanceof LedgerError && error.problem === 'otherWriter') return false;
    throw error;
  });
  if (isRead === false)
    throw new UserFacingError(
      t('Another window reads this account into the ledger; this one shows what it has read.'),
    );
}

function askedOf(
  { request, period }: ExportQuery,
  { search, sort }: NonNullable<TableQuery['ledger']>,
  columns: readonly Column[],
  display: Display,
): LedgerQuery {
  const column = columns.find(({ field }) => field === sort?.field);
  // The order of hidden figures would tell which of them is the largest.
  const isSorted = column !== undefined && !display.hides(column.field);
  return {
    ...selectionQuery(request, period),
    search: search.trim(),
    sort: isSorted ? sort : null,
  };
}

async function figuresOf(
  all: readonly Column[],
  subject: ExportQuery,
  asked: LedgerQuery,
  { reader, writer }: OpenLedger,
  display: Display,
  now: number,
): Promise<LedgerFigures> {
  const columns = all.filter(({ unitField }) => unitField !== undefined).sort(bySumRank);
  const fields = columns.map(({ field }) => field);
  const traded = asked.filters.side === undefined ? tradedFields[asked.history] : undefined;
  const ofSide = async (side: 'BUY' | 'SELL'): Promise<readonly FieldSum[]> =>
    traded === undefined
      ? []
      : reader.sums({ ...asked, filters: { ...asked.filters, side: [side] } }, [traded]);
  const [sums, bought, sold, reads] = await Promise.all([
    reader.sums(asked, fields),
    ofSide('BUY'),
    ofSide('SELL'),
    writer.coverage(asked.history),
  ]);
  const parts = queriedParts(subject, reads, now);
  // A few rows may be there by chance.
  const isUnread = parts.every(({ completeness }) => completeness === 'neverRead');
  return {
    coverage: coverageText(parts, display, now),
    incomplete: incompleteFigures(parts, display, now),
    olderThan: olderThan(subject, reads, now),
    sums: isUnread ? [] : columns.flatMap((column) => sumsByUnit(column, sums, { bought, sold })),
  };
}

/** What the account bought or sold: of an order only what is filled. */
const tradedFields: Readonly<Partial<Record<LedgerHistory, string>>> = {
  trades: 'amount',
  orders: 'filled',
};

/** What is asked for most is last here, and comes first. */
const sumRanks = ['fee', 'rpnl'];

function bySumRank(one: Column, other: Column): number {
  return sumRanks.indexOf(other.field) - sumRanks.indexOf(one.field);
}

/** The ledger adds up by the cell that names the unit. */
function sumsByUnit(
  column: Column,
  sums: readonly FieldSum[],
  { bought, sold }: Readonly<Record<'bought' | 'sold', readonly FieldSum[]>>,
): LedgerSum[] {
  const { field } = column;
  const own = sums.filter((one) => one.field === field && one.count > 0);
  const unitOf = ({ unit }: FieldSum): string | null =>
    unit === null ? null : unitNamed(unit, column);
  const inUnit = (unit: string | null, side: readonly FieldSum[]): readonly FieldSum[] =>
    side.filter((one) => one.field === field && unitOf(one) === unit);
  return [...Map.groupBy(own, unitOf)].map(([unit, parts]) => ({
    field,
    unit,
    lacking: parts.reduce((total, part) => total + part.lacking, 0),
    sum: sum(parts.map((part) => part.sum)),
    min: extremes(parts.map(({ min }) => min)).min,
    max: extremes(parts.map(({ max }) => max)).max,
    bySide: sidesOf(parts, inUnit(unit, bought), inUnit(unit, sold)),
  }));
}

/** Null unless each row with the figure is of one of the two sides: a net of a part would look whole. */
function sidesOf(
  all: readonly FieldSum[],
  bought: readonly FieldSum[],
  sold: readonly FieldSum[],
): LedgerSum['bySide'] {
  const rowsOf = (sums: readonly FieldSum[]): number =>
    sums.reduce((rows, { count }) => rows + count, 0);
  if (rowsOf(bought) + rowsOf(sold) !== rowsOf(all)) return null;
  const [ofBought, ofSold] = [bought, sold].map((sums) => sum(sums.map((one) => one.sum)));
  return { bought: ofBought ?? '0', sold: ofSold ?? '0' };
}

function notesOf({ sortedAsText, total, listed }: LedgerRows, display: Display): string[] {
  const unlisted = total - listed;
  const sortedAsTextNote =
    sortedAsText === 1
      ? t('1 row has too many digits to be sorted as a number: it comes after the others.')
      : t(
          '{0} rows have too many digits to be sorted as numbers: they come after the others.',
          display.count(sortedAsText),
        );
  const unlistedNote =
    unlisted === 1
      ? t('The exchange no longer lists 1 row. Sums and exports leave it out.')
      : t(
          'The exchange no longer lists {0} rows. Sums and exports leave them out.',
          display.count(unlisted),
        );
  return [...(sortedAsText > 0 ? [sortedAsTextNote] : []), ...(unlisted > 0 ? [unlistedNote] : [])];
}

/** What a page says when the ledger fails; the log has the cause. */
async function withSentence<Result>(reading: Promise<Result>): Promise<Result> {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    const sentence = t('The ledger could not be read. The rows are those of the exchange.');
    throw new UserFacingError(sentence, { cause: error });
  }
}

/** What the ledger knows of each moment that a query asks for, up to now. */
export function queriedParts(
  { request, period: { from, to } }: ExportQuery,
  reads: readonly Coverage[],
  now: number,
): readonly CoveragePart[] {
  return coverageParts(ledgerHistoryOf(request), reads, { from, to: Math.min(to, now) });
}

/** Whether the ledger has the whole period; its newest rows may be missing until it is synchronised. */
export function coversPeriod(parts: readonly CoveragePart[]): boolean {
  const from = currentFrom(parts, dayMs);
  return from !== undefined && from === parts[0]?.from;
}

/**
 * From when on the ledger has every row, newest ones included: it was read within `mostTailMs`. Undefined if it has not.
 */
export function currentFrom(
  parts: readonly CoveragePart[],
  mostTailMs: number,
): number | undefined {
  const end = parts.at(-1);
  const isTail = end?.completeness === 'neverRead' && end.to - end.from <= mostTailMs;
  const known = isTail ? parts.slice(0, -1) : parts;
  return known[known.findLastIndex((part) => !isComplete(part)) + 1]?.from;
}

/** Where the rows that the ledger has without a gap begin, if the period reaches to before them. */
function olderThan(
  { request, period: { from } }: ExportQuery,
  reads: readonly Coverage[],
  now: number,
): number | null {
  const parts = coverageParts(ledgerHistoryOf(request), reads, { from: openStart, to: now });
  const begin = currentFrom(parts, longestUnreadMs) ?? 0;
  return begin > 0 && from <= begin ? begin : null;
}

/** `complete to 05:31:42`, or the first gap in words. */
export function coverageText(
  parts: readonly CoveragePart[],
  display: Display,
  now: number,
): string {
  const [first, last] = [parts.findIndex(isComplete), parts.findLastIndex(isComplete)];
  const [oldest, newest] = [parts[first], parts[last]];
  if (!oldest || !newest) return t('not complete');
  const at = (epochMs: number): string => display.recentTime(epochMs, now);
  const gap = parts.slice(first, last).find((part) => !isComplete(part));
  if (gap) return t('rows may be missing from {0} to {1}', at(gap.from), at(gap.to));
  const isToEnd = last === parts.length - 1;
  if (first === 0) return isToEnd ? t('complete') : t('complete to {0}', at(newest.to));
  return isToEnd
    ? t('complete from {0}', at(oldest.from))
    : t('complete from {0} to {1}', at(oldest.from), at(newest.to));
}

/** How much there is of what a query asks for; null if it is all, or all but the newest rows. */
export function incompleteFigures(
  parts: readonly CoveragePart[],
  display: Display,
  now: number,
): string | null {
  const [first, last] = [parts[0], parts.at(-1)];
  if (!first || !last || missingParts(parts, now).length === 0) return null;
  const period = { from: first.from, to: last.to };
  return incompleteText(partOfPeriodText(parts.filter(isComplete), period, display));
}

function isComplete({ completeness }: CoveragePart): boolean {
  return completeness === 'complete';
}
