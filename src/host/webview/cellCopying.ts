import * as v from 'valibot';
import * as vscode from 'vscode';
import { UserFacingError } from '../../base/errors.ts';
import { copiedText } from '../../protocol/copiedText.ts';
import type { CellSelection, CopyRequest, FieldCopy } from '../../protocol/gridMessages.ts';
import type { Column } from '../../protocol/table.ts';
import { logRejection, type Log } from '../shared/log.ts';
import type { DisplayState } from '../settings/displayState.ts';
import { cellsOf, copiedField } from './recordCells.ts';

export type CellCopyingOptions = {
  readonly display: DisplayState;
  /** Asks whether a figure that privacy hides may be copied to the clipboard. */
  readonly confirmRealValues: () => Promise<boolean>;
  /** Null for a text that is not of the grid. */
  readonly onCopied: (selection: CellSelection | null) => void;
  readonly log: Log;
};

/** Copies cells, with the real values of masked ones. Throws UserFacingError if there are no such records. */
export function copyCells(
  request: CopyRequest,
  columns: readonly Column[],
  records: readonly object[] | undefined,
  options: CellCopyingOptions,
): void {
  const { selection } = request;
  const rows = records?.map((record) => cellsOf(record, columns));
  const display = options.display.latest();
  const isHidden = selection.columns.some((index) => {
    const field = columns[index]?.field;
    return field !== undefined && display.hides(field);
  });
  copy(rows && copiedText(request, columns, rows), isHidden, selection, options);
}

/** The same of one field of a record. */
export function copyField(
  request: FieldCopy,
  columns: readonly Column[],
  record: object | undefined,
  options: CellCopyingOptions,
): void {
  const display = options.display.latest();
  const column = columns.find(({ field }) => field === request.field);
  const isHidden =
    request.isExtra || !column ? display.settings.hidesMoney : display.hides(column.field);
  copy(record && copiedField(record, request), isHidden, null, options);
}

/** The text is taken before the user confirms, because the rows may change meanwhile. */
function copy(
  text: string | undefined,
  isHidden: boolean,
  selection: CellSelection | null,
  { log, onCopied, confirmRealValues }: CellCopyingOptions,
): void {
  if (text === undefined)
    throw new UserFacingError(vscode.l10n.t('Nothing was copied: the rows have changed.'));
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
