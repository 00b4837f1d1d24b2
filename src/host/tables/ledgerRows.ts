import { l10n } from 'vscode';
import { extremes, sum } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import { UserFacingError } from '../../base/errors.ts';
import { LedgerError } from '../../ledger/ledgerError.ts';
import type { FieldSum, LedgerQuery, LedgerRows } from '../../ledger/ledger.ts';
import { selectionQuery } from '../../ledger/selectionQuery.ts';
import { unitNamed } from '../../protocol/cellRules.ts';
import type { Column, LedgerFigures, LedgerSum, TableQuery } from '../../protocol/table.ts';
import type { AccountLedger, OpenLedger } from '../ledger/openLedger.ts';
import { historyQuery } from './historyRows.ts';
import { coverageText, incompleteFigures, queriedParts } from './ledgerCoverage.ts';
import type { HistoryTable, PageRecords } from './tableDefinition.ts';

/** The ledger of the open account, if it has one. */
export type PanelLedger = Pick<AccountLedger, 'current' | 'onDidChange' | 'onDidWrite'>;

type LedgerTableQuery = TableQuery & {
  readonly ledger: NonNullable<TableQuery['ledger']>;
};

/**
 * Reads a page of a history from the ledger, with figures of all rows that match. `now` is in epoch
 * milliseconds of the exchange. Rejects with UserFacingError.
 */
export async function readLedgerRows(
  table: HistoryTable,
  query: LedgerTableQuery,
  { current }: PanelLedger,
  display: Display,
  now: number,
): Promise<PageRecords> {
  if (!current) throw new UserFacingError(l10n.t('This account has no ledger.'));
  const { page, size } = query;
  const asked = askedOf(table, query, display);
  const { history } = asked;
  const { reader } = current;
  const versions = await withSentence(reader.versions());
  const [found, figures] = await withSentence(
    Promise.all([
      reader.rows(asked, page * size, size),
      figuresOf(table, query, asked, current, display, now),
    ]),
  );
  const unlisted = found.unlisted.map(({ index }) => index);
  return {
    ...recordsOf(found, size, display),
    ledger: figures,
    ledgerRead: { history, version: versions[history], unlisted },
  };
}

function askedOf(
  table: HistoryTable,
  { filters, ledger: { search, sort } }: LedgerTableQuery,
  display: Display,
): LedgerQuery {
  const { request, period } = historyQuery(table, filters);
  const column = table.columns.find(({ field }) => field === sort?.field);
  // The order of hidden figures would tell which of them is the largest.
  const isSorted = column !== undefined && !display.hides(column.field);
  return {
    ...selectionQuery(request, period),
    search: search.trim(),
    sort: isSorted ? sort : null,
  };
}

async function figuresOf(
  table: HistoryTable,
  { filters }: LedgerTableQuery,
  asked: LedgerQuery,
  { reader, writer }: OpenLedger,
  display: Display,
  now: number,
): Promise<LedgerFigures> {
  const columns = table.columns.filter(({ unitField }) => unitField !== undefined);
  const [sums, reads] = await Promise.all([
    reader.sums(
      asked,
      columns.map(({ field }) => field),
    ),
    writer.coverage(asked.history),
  ]);
  const parts = queriedParts(historyQuery(table, filters), reads, now);
  // A few rows may be there by chance.
  const isUnread = parts.every(({ completeness }) => completeness === 'neverRead');
  return {
    coverage: coverageText(parts, display, now),
    incomplete: incompleteFigures(parts, display, now),
    sums: isUnread ? [] : columns.flatMap((column) => sumsByUnit(column, sums)),
  };
}

/** The ledger adds up by the cell that names the unit. */
function sumsByUnit(column: Column, sums: readonly FieldSum[]): LedgerSum[] {
  const { field } = column;
  const own = sums.filter((one) => one.field === field && one.count > 0);
  const byUnit = Map.groupBy(own, ({ unit }) => (unit === null ? null : unitNamed(unit, column)));
  return [...byUnit].map(([unit, parts]) => ({
    field,
    unit,
    lacking: parts.reduce((total, part) => total + part.lacking, 0),
    sum: sum(parts.map((part) => part.sum)),
    min: extremes(parts.map(({ min }) => min)).min,
    max: extremes(parts.map(({ max }) => max)).max,
  }));
}

function recordsOf(
  { rows, total, listed, sortedAsText, unlisted }: LedgerRows,
  size: number,
  display: Display,
): PageRecords {
  return {
    items: rows,
    part: null,
    summary: [],
    notes: [
      ...(sortedAsText === 0 ? [] : [sortedAsTextNote(sortedAsText, display)]),
      ...(unlisted.length === 0 ? [] : [unlistedNote(unlisted.length, display)]),
    ],
    omittedRows: 0,
    size: String(size),
    totalPages: String(Math.max(1, Math.ceil(total / size))),
    totalElements: String(total),
    matchingRows: listed,
    badRecords: [],
  };
}

function sortedAsTextNote(rows: number, display: Display): string {
  return rows === 1
    ? l10n.t('1 row has too many digits to be sorted as a number: it comes after the others.')
    : l10n.t(
        '{0} rows have too many digits to be sorted as numbers: they come after the others.',
        display.count(rows),
      );
}

function unlistedNote(rows: number, display: Display): string {
  return rows === 1
    ? l10n.t('The exchange no longer lists 1 row. Sums and exports leave it out.')
    : l10n.t(
        'The exchange no longer lists {0} rows. Sums and exports leave them out.',
        display.count(rows),
      );
}

/** What a page says when the ledger fails; the log has the cause. */
async function withSentence<Result>(reading: Promise<Result>): Promise<Result> {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    const sentence = l10n.t('The ledger could not be read. The rows are those of the exchange.');
    throw new UserFacingError(sentence, { cause: error });
  }
}
