import * as vscode from 'vscode';
import type { ActiveAccount } from '../../account/session/activeAccount.ts';
import type { Display } from '../../base/display.ts';
import { UserFacingError } from '../../base/errors.ts';
import { copiedText } from '../../protocol/copiedText.ts';
import {
  copyRequestSchema,
  fieldCopySchema,
  relatedRequestSchema,
  rowOfPageSchema,
  type CellSelection,
  type CopyRequest,
  type FieldCopy,
  type RelatedName,
  type RowOfPage,
} from '../../protocol/gridMessages.ts';
import type { Handlers } from '../../protocol/rpcServer.ts';
import type { RelatedRecords, RowDetails, TableFilters, TableName } from '../../protocol/table.ts';
import type { TableMethods } from '../../protocol/tableMessages.ts';
import { logRejection, type Log } from '../log.ts';
import type { DisplayState } from '../settings/displayState.ts';
import { readHistoryRows } from './historyRows.ts';
import { filtersAround, relatedSearches, relatedSearch } from './relatedRecords.ts';
import { copiedField, recordFields, type StartAt } from './pageRendering.ts';
import type { PageRecords, TableDefinition } from './tableDefinition.ts';
import type { ReadRecord, TablePageReader } from './tablePageReader.ts';

type RowRequestsOptions = {
  readonly table: TableDefinition;
  readonly active: ActiveAccount;
  readonly display: DisplayState;
  readonly pageReader: Pick<TablePageReader, 'recordOf' | 'rowsOf'>;
  /** Asks whether a figure that privacy hides may be copied to the clipboard. */
  readonly confirmRealValues: () => Promise<boolean>;
  readonly openTable: (name: TableName, filters: TableFilters, startAt: StartAt) => void;
  readonly onCopied: (selection: CellSelection | null) => void;
  readonly log: Log;
};

type RowMethod =
  'table/copy' | 'table/copyField' | 'table/details' | 'table/related' | 'table/openTrades';

/** As many rows as an exchange may return for one request. */
const relatedPageSize = 500;

/** Serves the requests of a page about its rows. They fail if the rows have changed. */
export class RowRequests {
  private readonly options: RowRequestsOptions;

  constructor(options: RowRequestsOptions) {
    this.options = options;
  }

  get handlers(): Pick<Handlers<TableMethods>, RowMethod> {
    return {
      'table/copy': { params: copyRequestSchema, run: this.copy },
      'table/copyField': { params: fieldCopySchema, run: this.copyField },
      'table/details': { params: rowOfPageSchema, run: this.details },
      'table/related': { params: relatedRequestSchema, run: this.findRelated },
      'table/openTrades': { params: rowOfPageSchema, run: this.openTrades },
    };
  }

  /** Takes the text before the user confirms, because the rows may change meanwhile. */
  private readonly copy = (request: CopyRequest): void => {
    const { pageReader, table } = this.options;
    const { selection } = request;
    const rows = pageReader.rowsOf(selection.pageId);
    const text = rows && copiedText(request, table.columns, rows);
    if (text === undefined) throw nothingCopied();
    const isHidden = selection.columns.some((index) => {
      const field = table.columns[index]?.field;
      return field !== undefined && this.display.hides(field);
    });
    this.copyText(text, isHidden, selection);
  };

  private readonly copyField = (request: FieldCopy): void => {
    const { pageReader, table } = this.options;
    const record = pageReader.recordOf(request)?.record;
    const text = record && copiedField(record, request);
    if (text === undefined) throw nothingCopied();
    const column = table.columns.find(({ field }) => field === request.field);
    const isHidden =
      request.isExtra || !column
        ? this.display.settings.hidesMoney
        : this.display.hides(column.field);
    this.copyText(text, isHidden, null);
  };

  private readonly details = (row: RowOfPage): RowDetails => {
    const { table } = this.options;
    const read = this.recordOf(row);
    return {
      ...recordFields(read.record, table.columns, this.display),
      related: table.kind === 'history' ? relatedSearches(table, read) : [],
    };
  };

  /** Sends one request. Rejects with ExchangeError, UserFacingError or the signal's reason. */
  private readonly findRelated = async (
    { related, ...row }: RowOfPage & { readonly related: RelatedName },
    signal: AbortSignal,
  ): Promise<RelatedRecords> => {
    const { active } = this.options;
    const { table, filters, isRelated, resultText } = relatedSearch(related, this.recordOf(row));
    const session = await active.session();
    const query = { filters, page: 0, size: relatedPageSize };
    const page = await readHistoryRows(table, query, session.client, this.display, { signal });
    signal.throwIfAborted();
    this.recordOf(row);
    const found = page.items.filter(isRelated);
    return {
      sentence: [resultText(found), ...partialText(page), ...page.notes].join(' '),
      records: found.map((item) => recordFields(item, table.columns, this.display)),
    };
  };

  private readonly openTrades = (row: RowOfPage): void => {
    const { record } = this.recordOf(row);
    if (!isOrderOrTrade(record)) return;
    const startAt = { field: 'orderId', text: record.orderId };
    this.options.openTable('trades', filtersAround(record), startAt);
  };

  private get display(): Display {
    return this.options.display.latest();
  }

  private recordOf(row: RowOfPage): ReadRecord {
    const read = this.options.pageReader.recordOf(row);
    if (!read) throw new UserFacingError(vscode.l10n.t('The rows have changed. Select one again.'));
    return read;
  }

  private copyText(text: string, isHidden: boolean, selection: CellSelection | null): void {
    const { log, onCopied, confirmRealValues } = this.options;
    const copy = async (): Promise<void> => {
      if (isHidden && !(await confirmRealValues())) return;
      await vscode.env.clipboard.writeText(text);
      onCopied(selection);
    };
    logRejection(log, 'copying cells', copy());
  }
}

/** A search that could not read every row of its time says so. */
function partialText({
  items,
  badRecords,
  omittedRows,
  part,
  totalElements,
}: PageRecords): string[] {
  const read = items.length + badRecords.length + omittedRows;
  const hasMore = totalElements === null ? read >= relatedPageSize : Number(totalElements) > read;
  return part === null && !hasMore
    ? []
    : [vscode.l10n.t('Only a part of that time was read, because one request returns no more.')];
}

type OrderOrTrade = Parameters<typeof filtersAround>[0];

function isOrderOrTrade(record: object): record is OrderOrTrade {
  return 'orderId' in record;
}

function nothingCopied(): UserFacingError {
  return new UserFacingError(vscode.l10n.t('Nothing was copied: the rows have changed.'));
}
