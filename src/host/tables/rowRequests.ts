import * as vscode from 'vscode';
import type { ActiveAccount } from '../../account/session/activeAccount.ts';
import type { Display } from '../../base/display.ts';
import { unknownText } from '../../base/decimal.ts';
import { UserFacingError } from '../../base/errors.ts';
import {
  copyRequestSchema,
  fieldCopySchema,
  relatedRequestSchema,
  rowOfPageSchema,
  type CopyRequest,
  type FieldCopy,
  type RelatedName,
  type RowOfPage,
} from '../../protocol/gridMessages.ts';
import type { Handlers } from '../../protocol/rpcServer.ts';
import type {
  RelatedRecords,
  RowDetails,
  TableFilters,
  TableName,
  RecordFields,
} from '../../protocol/table.ts';
import type { TableMethods } from '../../protocol/tableMessages.ts';
import { untrustedText } from '../text/messageText.ts';
import { CellCopying, type CellCopyingOptions } from '../webview/cellCopying.ts';
import { readHistoryRows } from './historyRows.ts';
import type { PanelLedger } from './ledgerRows.ts';
import {
  filtersAround,
  mostRelated,
  relatedInLedger,
  relatedSearches,
  relatedSearch,
  type RelatedSearch,
} from './relatedRecords.ts';
import { type StartAt } from './pageRendering.ts';
import { recordFields } from '../webview/recordCells.ts';
import { type PageRecords, type TableDefinition, type HistoryTable } from './tableDefinition.ts';
import { cellOf } from '../webview/recordCells.ts';
import type { ReadRecord, TablePageReader } from './tablePageReader.ts';
import { l10n } from 'vscode';
import type { HistoryRecord } from '../../exchange/history/historyRecords.ts';

type RowRequestsOptions = CellCopyingOptions & {
  readonly table: TableDefinition;
  readonly active: ActiveAccount;
  readonly ledger: PanelLedger;
  readonly pageReader: Pick<TablePageReader, 'recordOf' | 'rowsOf'>;
  readonly openTable: (name: TableName, filters: TableFilters, startAt: StartAt) => void;
};

type Found = {
  readonly search: RelatedSearch;
  readonly items: readonly object[];
  readonly remarks: readonly string[];
};

type RowMethod =
  | 'grid/copy'
  | 'grid/copyField'
  | 'table/details'
  | 'table/related'
  | 'table/openTrades';

/** Serves the requests of a page about its rows. They fail if the rows have changed. */
export class RowRequests {
  private readonly options: RowRequestsOptions;
  private readonly copying: CellCopying;
  /** What was found for a record, which may have cost weight: it stays as long as the record is shown. */
  private readonly found = new WeakMap<object, Found>();

  constructor(options: RowRequestsOptions) {
    this.options = options;
    this.copying = new CellCopying(options);
  }

  get handlers(): Pick<Handlers<TableMethods>, RowMethod> {
    return {
      'grid/copy': { params: copyRequestSchema, run: this.copy },
      'grid/copyField': { params: fieldCopySchema, run: this.copyField },
      'table/details': { params: rowOfPageSchema, run: this.details },
      'table/related': { params: relatedRequestSchema, run: this.findRelated },
      'table/openTrades': { params: rowOfPageSchema, run: this.openTrades },
    };
  }

  private readonly copy = (request: CopyRequest): void => {
    const { pageReader, table } = this.options;
    this.copying.copyCells(request, table.columns, pageReader.rowsOf(request.selection.pageId));
  };

  private readonly copyField = (request: FieldCopy): void => {
    const { pageReader, table } = this.options;
    const row = pageReader.recordOf(request)?.record;
    const found = row && request.related && this.found.get(row);
    const record = request.related ? found?.items[request.related.index] : row;
    this.copying.copyField(record, request, (found?.search.table ?? table).columns);
  };

  private readonly details = async (row: RowOfPage): Promise<RowDetails> => {
    const { table, ledger } = this.options;
    const read = this.recordOf(row);
    const before = this.found.get(read.record);
    const found = before ? { found: this.relatedRecords(before) } : {};
    return {
      ...recordFields(read.record, table.columns, this.display),
      ...(table.kind === 'history'
        ? {
            related: (await relatedSearches(table, read, ledger)).map((search) => ({
              ...search,
              ...found,
            })),
            past: await pastOf(table, read, ledger, this.display),
          }
        : { related: [], past: [] }),
    };
  };

  /**
   * Reads the ledger, or sends one request. Rejects with ExchangeError, UserFacingError or the signal's
   * reason.
   */
  private readonly findRelated = async (
    { related, ...row }: RowOfPage & { readonly related: RelatedName },
    signal: AbortSignal,
  ): Promise<RelatedRecords> => {
    const read = this.recordOf(row);
    const search = relatedSearch(related, read);
    const stored = await relatedInLedger(search, this.options.ledger);
    const page = stored ? undefined : await this.readAround(search, signal);
    signal.throwIfAborted();
    this.recordOf(row);
    const items = stored ?? page?.items.filter(search.isRelated) ?? [];
    const remarks = page ? [...partialText(page), ...page.notes] : [];
    const found = { search, items, remarks };
    this.found.set(read.record, found);
    return this.relatedRecords(found);
  };

  private relatedRecords({ search, items, remarks }: Found): RelatedRecords {
    const { columns } = search.table;
    return {
      sentence: [search.resultText(items), ...remarks].join(' '),
      records: items.map((item) => recordFields(item, columns, this.display)),
    };
  }

  private async readAround(
    { table, filters }: RelatedSearch,
    signal: AbortSignal,
  ): Promise<PageRecords> {
    const session = await this.options.active.session();
    const query = { filters, page: 0, size: mostRelated };
    return readHistoryRows(table, query, session.client, this.display, { signal });
  }

  private readonly openTrades = (row: RowOfPage): void => {
    const { record } = this.recordOf(row);
    if (!isOrderOrTrade(record)) return;
    const { orderId, symbol } = record;
    const shown = untrustedText(orderId ?? unknownText, 40);
    const missing = vscode.l10n.t('No trade of order {0} is on this page.', shown);
    this.options.openTable('trades', filtersAround(record), {
      fields: { orderId: orderId ?? '', symbol },
      missing,
    });
  };

  private get display(): Display {
    return this.options.display.latest();
  }

  private recordOf(row: RowOfPage): ReadRecord {
    const read = this.options.pageReader.recordOf(row);
    if (!read) throw new UserFacingError(vscode.l10n.t('The rows have changed. Select one again.'));
    return read;
  }
}

/** A search that could not read every row of its time says so. */
function partialText({ items, omittedRows, part, totalElements }: PageRecords): string[] {
  const read = items.length + omittedRows;
  const hasMore = totalElements === null ? read >= mostRelated : Number(totalElements) > read;
  return part === null && !hasMore
    ? []
    : [vscode.l10n.t('Only a part of that time was read, because one request returns no more.')];
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
  return [
    ...(past.unlistedSince === null ? [] : [unlisted(past.unlistedSince, display)]),
    ...past.versions.map(({ record: before, replacedAt }, index) => ({
      sentence: l10n.t(
        'Changed, according to the read of {0}. Before:',
        timeText(replacedAt, display),
      ),
      records: [changedFields(before, newer[index] ?? record, columns, display)],
    })),
  ];
}

function unlisted(since: number, display: Display): RelatedRecords {
  const sentence = l10n.t(
    'The exchange no longer lists this record: the read of {0} showed older and newer ones without it.',
    timeText(since, display),
  );
  return { sentence, records: [] };
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

function timeText(epochMs: number, display: Display): string {
  return display.timeToSecond(String(epochMs));
}
