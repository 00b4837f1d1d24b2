import { unknownText } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import type { HistoryRecord } from '../../exchange/history/records.ts';
import type { FieldCopy, RowOfPage } from '../../protocol/gridMessages.ts';
import type {
  RecordFields,
  RelatedRecords,
  RowDetails,
  TableFilters,
  TableName,
} from '../../protocol/table.ts';
import { t } from '../shared/translate.ts';
import { untrustedText } from '../text/messageText.ts';
import { requestsText } from '../text/progressText.ts';
import { gridRequests, type GridRequestsOptions } from '../webview/gridRequests.ts';
import { cellOf, recordFields } from '../webview/recordCells.ts';
import { knownSymbols, withSymbolUnits, type HistoryTable } from './definition.ts';
import { readExchangeRows } from './exchangeRows.ts';
import { rowsChanged, type PanelRows, type ReadRecord } from './panelRows.ts';
import {
  filtersAround,
  isRelated,
  mostRelated,
  relatedInLedger,
  relatedSearch,
  type RelatedSearch,
} from './relatedRecords.ts';
import type { PanelLedger, RowPage, StartAt } from './panelState.ts';

type RowRequestsOptions = Omit<GridRequestsOptions, 'columns' | 'records' | 'related'> & {
  readonly openTable: (name: TableName, filters: TableFilters, startAt: StartAt) => void;
  readonly openPosition: (of: OrderOrTrade) => void;
};

type Found = {
  readonly search: RelatedSearch;
  readonly records: readonly object[];
  readonly remarks: readonly string[];
};

/** Serves the requests of a page about its rows. They fail if the rows have changed. */
export class RowRequests {
  private readonly rows: PanelRows;
  private readonly options: RowRequestsOptions;
  /** What was found for a record, which may have cost weight: it stays as long as the record is shown. */
  private readonly found = new WeakMap<object, Found>();

  constructor(rows: PanelRows, options: RowRequestsOptions) {
    this.rows = rows;
    this.options = options;
  }

  get handlers() {
    const { rows } = this;
    const { table } = rows.options;
    return {
      ...gridRequests({
        ...this.options,
        columns: () => table.columns,
        records: (pageId) => rows.recordsOf(pageId),
        related: this.foundOf,
      }),
      'table/details': this.details,
      'table/related': this.findRelated,
      'table/openTrades': this.openTrades,
      'table/openPosition': this.openPosition,
    };
  }

  private readonly foundOf = (request: FieldCopy) => {
    const row = this.rows.recordsOf(request.pageId)?.[request.row];
    const { search, records } = (row && this.found.get(row)) ?? {};
    return search && { record: records?.[request.related ?? 0], columns: search.table.columns };
  };

  private readonly details = async (row: RowOfPage): Promise<RowDetails> => {
    const { table, ledger } = this.rows.options;
    const read = this.rows.recordOf(row);
    const fields = recordFields(read.record, table.columns, this.display);
    if (table.kind === 'reference') return fields;
    const search = relatedSearch(table, read);
    const more = search && { more: await this.relatedOf(read.record, search) };
    return { ...fields, ...more, sections: await pastOf(table, read, ledger, this.display) };
  };

  private async relatedOf(record: object, search: RelatedSearch) {
    const { label } = search;
    const found = this.found.get(record);
    const isStored = (await relatedInLedger(search, this.rows.options.ledger)) !== undefined;
    return {
      label: isStored ? label : t('{0} ({1})', label, requestsText(1, this.display)),
      ...(found && { answer: { kind: 'loaded', value: this.relatedRecords(found) } as const }),
    };
  }

  /**
   * Reads the ledger, or sends one request. Rejects with ExchangeError, UserFacingError or the signal's
   * reason.
   */
  private readonly findRelated = async (
    row: RowOfPage,
    signal: AbortSignal,
  ): Promise<RelatedRecords> => {
    const read = this.rows.recordOf(row);
    const { table } = this.rows.options;
    const search = table.kind === 'history' ? relatedSearch(table, read) : undefined;
    if (!search) throw rowsChanged();
    const stored = await relatedInLedger(search, this.rows.options.ledger);
    const page = stored ? undefined : await this.readAround(search, signal);
    signal.throwIfAborted();
    this.rows.recordOf(row);
    const records = stored ?? page?.records.filter((record) => isRelated(record, search)) ?? [];
    const remarks = page ? [...partialText(page), ...page.notes] : [];
    const found = { search, records, remarks };
    this.found.set(read.record, found);
    return this.relatedRecords(found);
  };

  private relatedRecords({ search, records, remarks }: Found): RelatedRecords {
    const { state } = this.rows.options.active;
    const symbols = state.kind === 'open' ? knownSymbols(state.session) : [];
    const columns = withSymbolUnits(search.table.columns, symbols);
    return {
      sentence: [search.resultText(records), ...remarks].join(' '),
      records: records.map((record) => recordFields(record, columns, this.display)),
    };
  }

  private async readAround(
    { table, filters }: RelatedSearch,
    signal: AbortSignal,
  ): Promise<RowPage> {
    const session = await this.rows.options.active.session();
    const query = { filters, page: 0, size: mostRelated };
    return readExchangeRows(table, query, { session, display: this.display, signal });
  }

  private readonly openTrades = (row: RowOfPage): void => {
    const { record } = this.rows.recordOf(row);
    if (!isOrderOrTrade(record)) return;
    const { orderId, symbol } = record;
    const shown = untrustedText(orderId ?? unknownText, 40);
    const missing = t('No trade of order {0} is on this page.', shown);
    const fields = { orderId: orderId ?? '', symbol };
    this.options.openTable('trades', filtersAround(record), { fields, missing });
  };

  private readonly openPosition = (row: RowOfPage): void => {
    const { record } = this.rows.recordOf(row);
    if (isOrderOrTrade(record)) this.options.openPosition(record);
  };

  private get display(): Display {
    return this.options.display.latest();
  }
}

/** A search that could not read every row of its time says so. */
function partialText({ records, omittedRows, part, totalElements }: RowPage): string[] {
  const read = records.length + omittedRows;
  const hasMore = totalElements === null ? read >= mostRelated : Number(totalElements) > read;
  return part === null && !hasMore
    ? []
    : [t('Only a part of that time was read, because one request returns no more.')];
}

type OrderOrTrade = Parameters<typeof filtersAround>[0];

function isOrderOrTrade(record: object): record is OrderOrTrade {
  return 'orderId' in record;
}

/** What became of a record that was read from the ledger: whether it is still listed, and what it said before. */
export async function pastOf(
  { columns }: HistoryTable,
  { record, history }: ReadRecord,
  { current }: PanelLedger,
  display: Display,
): Promise<readonly RelatedRecords[]> {
  if (!current || history === null) return [];
  // The record is shown without its past if that cannot be read.
  const past = await current.reader
    .past(history, record as HistoryRecord)
    .catch(() => ({ unlistedSince: null, versions: [] }));
  const newer = [record, ...past.versions.map((version) => version.record)];
  const unlisted =
    past.unlistedSince !== null &&
    t(
      'The exchange no longer lists this record: the read of {0} showed older and newer ones without it.',
      display.timeToSecond(past.unlistedSince),
    );
  return [
    ...(unlisted ? [{ sentence: unlisted, records: [] }] : []),
    ...past.versions.map(({ record: before, replacedAt }, index) => ({
      sentence: t(
        'Changed, according to the read of {0}. Before:',
        display.timeToSecond(replacedAt),
      ),
      records: [changedFields(before, newer[index] ?? record, columns, display)],
    })),
  ];
}

/** The fields that said something else than after the change. */
function changedFields(
  before: object,
  after: object,
  columns: HistoryTable['columns'],
  display: Display,
): RecordFields {
  const changed = columns.filter(({ field }) => cellOf(before, field) !== cellOf(after, field));
  const { fields, extra } = recordFields(before, changed, display);
  const unchanged = new Set(recordFields(after, [], display).extra.map(keyOf));
  return { fields, extra: extra.filter((each) => !unchanged.has(keyOf(each))) };
}

function keyOf({ name, text }: RecordFields['extra'][number]): string {
  return JSON.stringify([name, text]);
}
