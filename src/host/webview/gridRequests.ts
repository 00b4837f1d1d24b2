import * as v from 'valibot';
import * as vscode from 'vscode';
import { UserFacingError } from '../../base/errors.ts';
import { copiedText } from '../../protocol/copiedText.ts';
import type {
  CellSelection,
  ColumnLayout,
  CopyRequest,
  FieldCopy,
  GridMethods,
} from '../../protocol/gridMessages.ts';
import type { Handlers } from '../../protocol/messages.ts';
import type { Column } from '../../protocol/table.ts';
import type { GridTextName } from '../../protocol/texts.ts';
import { logRejection } from '../shared/log.ts';
import type { StoredValue } from '../../base/storedValue.ts';
import { t } from '../shared/translate.ts';
import { cellsOf, copiedField } from './recordCells.ts';
import type { PageOptions } from './webviewPage.ts';

export type GridRequestsOptions = Pick<PageOptions, 'display' | 'confirmRealValues' | 'log'> & {
  /** Null for a text that is not of the grid. */
  readonly onCopied: (selection: CellSelection | null) => void;
  readonly columns: () => readonly Column[];
  /** What a page has, with every figure as it is; undefined if that has changed. */
  readonly records: (pageId: number) => readonly object[] | undefined;
  /** What was found for a row, if a field of that is copied. */
  readonly related?: (
    request: FieldCopy,
  ) => { readonly record: object | undefined; readonly columns: readonly Column[] } | undefined;
  readonly layout: Pick<StoredValue<ColumnLayout>, 'set'>;
  readonly onLayout?: () => void;
};

/** What the host knows of the grid of a document. */
export type DocumentGrid = Pick<GridRequestsOptions, 'columns' | 'records' | 'layout'> & {
  /** Names it for the menus of VS Code. */
  readonly name: string;
  readonly texts?: Partial<Record<GridTextName, string>>;
};

/** Serves the requests of a page about its grid. */
export function gridRequests(options: GridRequestsOptions): Handlers<GridMethods> {
  const { layout, onLayout, log } = options;
  return {
    'grid/copy': (request) => copyCells(request, options),
    'grid/copyField': (request) => copyField(request, options),
    'grid/layout': (chosen) => {
      logRejection(log, 'keeping a column layout', layout.set(chosen));
      onLayout?.();
    },
  };
}

/** Copies cells, with the real values of masked ones. Throws UserFacingError if there are no such records. */
function copyCells(request: CopyRequest, options: GridRequestsOptions): void {
  const { selection } = request;
  const columns = options.columns();
  const rows = options.records(selection.pageId)?.map((record) => cellsOf(record, columns));
  const display = options.display.latest();
  const isHidden = selection.columns.some((index) => {
    const field = columns[index]?.field;
    return field !== undefined && display.hides(field);
  });
  copy(rows && copiedText(request, columns, rows), isHidden, selection, options);
}

/** The same of one field of a record. */
function copyField(request: FieldCopy, options: GridRequestsOptions): void {
  const { columns, records, related } = options;
  const row = { record: records(request.pageId)?.[request.row], columns: columns() };
  const { record, columns: own } = (request.related === undefined ? row : related?.(request)) ?? {};
  const display = options.display.latest();
  const column = own?.find(({ field }) => field === request.field);
  const isHidden =
    request.isExtra || !column ? display.settings.hidesMoney : display.hides(column.field);
  copy(record && copiedField(record, request), isHidden, null, options);
}

/** The text is taken before the user confirms, because the rows may change meanwhile. */
function copy(
  text: string | undefined,
  isHidden: boolean,
  selection: CellSelection | null,
  { log, onCopied, confirmRealValues }: GridRequestsOptions,
): void {
  if (text === undefined)
    throw new UserFacingError(t('Nothing was copied: the rows have changed.'));
  const copying = async (): Promise<void> => {
    if (isHidden && !(await confirmRealValues())) return;
    await vscode.env.clipboard.writeText(text);
    onCopied(selection);
  };
  logRejection(log, 'copying cells', copying());
}

/** `menu` is the context that a page gave the menu of VS Code: the text is as the page shows it. */
export async function copySelectedText(menu: unknown): Promise<void> {
  const { selectedText } = v.parse(menuContextSchema, menu);
  await vscode.env.clipboard.writeText(selectedText);
}

const menuContextSchema = v.object({ selectedText: v.string() });
