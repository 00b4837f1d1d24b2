import * as v from 'valibot';
import * as vscode from 'vscode';
import { UserFacingError } from '../../base/errors.ts';
import { copiedText } from '../../protocol/copiedText.ts';
import type { CellSelection, CopyRequest, FieldCopy } from '../../protocol/gridMessages.ts';
import type { Column } from '../../protocol/table.ts';
import { logRejection, type Log } from '../shared/log.ts';
import type { DisplayState } from '../settings/displayState.ts';
import { copiedField } from './recordCells.ts';
import type { CellRow } from './recordCells.ts';

export type CellCopyingOptions = {
  readonly display: DisplayState;
  /** Asks whether a figure that privacy hides may be copied to the clipboard. */
  readonly confirmRealValues: () => Promise<boolean>;
  /** Null for a text that is not of the grid. */
  readonly onCopied: (selection: CellSelection | null) => void;
  readonly log: Log;
};

/** Copies what a page shows, with the real values of masked cells once the user has confirmed. */
export class CellCopying {
  private readonly options: CellCopyingOptions;

  constructor(options: CellCopyingOptions) {
    this.options = options;
  }

  /** Takes the text before the user confirms, because the rows may change meanwhile. */
  copyCells(
    request: CopyRequest,
    columns: readonly Column[],
    rows: readonly CellRow[] | undefined,
  ): void {
    const { selection } = request;
    const text = rows && copiedText(request, columns, rows);
    if (text === undefined) throw nothingCopied();
    const display = this.options.display.latest();
    const isHidden = selection.columns.some((index) => {
      const field = columns[index]?.field;
      return field !== undefined && display.hides(field);
    });
    this.copyText(text, isHidden, selection);
  }

  copyField(record: object | undefined, request: FieldCopy, columns: readonly Column[]): void {
    const text = record && copiedField(record, request);
    if (text === undefined) throw nothingCopied();
    const display = this.options.display.latest();
    const column = columns.find(({ field }) => field === request.field);
    const isHidden =
      request.isExtra || !column ? display.settings.hidesMoney : display.hides(column.field);
    this.copyText(text, isHidden, null);
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

/** `menu` is the context that a page gave the menu of VS Code: the text is as the page shows it. */
export async function copySelectedText(menu: unknown): Promise<void> {
  const { selectedText } = v.parse(menuContextSchema, menu);
  await vscode.env.clipboard.writeText(selectedText);
}

const menuContextSchema = v.object({ selectedText: v.string() });

function nothingCopied(): UserFacingError {
  return new UserFacingError(vscode.l10n.t('Nothing was copied: the rows have changed.'));
}
