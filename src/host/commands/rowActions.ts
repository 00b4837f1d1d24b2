import * as vscode from 'vscode';
import { SentenceError } from '../../base/sentenceError.ts';
import type { TableName } from '../../protocol/table.ts';
import type { TablePanels } from '../panels/tablePanels.ts';
import { writeSetting, hidesZeroAssetsSetting } from '../settings.ts';
import type { AccountTree } from '../trees/accountTree.ts';
import { fieldText, recordJson, type FieldRecord } from '../../account/recordJson.ts';
import type { AccountNode } from '../trees/row.ts';

export type RowActionsOptions = {
  readonly trees: readonly AccountTree[];
  readonly panels: TablePanels;
  /** Whether what privacy hides may leave for the clipboard. */
  readonly confirmRealValues: () => Promise<boolean>;
};

/** What the menus of the side bar's rows do. Each throws a SentenceError where its row is gone. */
export class RowActions {
  private readonly options: RowActionsOptions;

  constructor(options: RowActionsOptions) {
    this.options = options;
  }

  /** Copies one field as the wire had it. */
  copyValue(argument: unknown): Promise<void> {
    const node = this.nodeOf(argument);
    const text =
      node.kind === 'field' ? fieldText(node.parent.row.record, node.field[0]) : undefined;
    if (text === undefined) throw rowIsGone();
    return this.copy(text);
  }

  /** Copies the row's record as JSON, every number as the wire had it. */
  copyRow(argument: unknown): Promise<void> {
    return this.copy(recordJson(this.recordOf(argument)));
  }

  /** Opens a history that shows this row's symbol and nothing else. */
  openHistory(name: TableName, argument: unknown): void {
    const record = this.recordOf(argument);
    if (!('symbol' in record)) throw rowIsGone();
    this.options.panels.show(name, { symbol: record.symbol });
  }

  /** Opens the leverage rules at that of this row's position; also where they stood before. */
  openLeverageRule(argument: unknown): void {
    const record = this.recordOf(argument);
    if (!('leverage' in record)) throw rowIsGone();
    this.options.panels.show('leverageRules', {}, { field: 'leverage', text: record.leverage });
  }

  /** The value is taken before the question: rows change while it stands. */
  private async copy(text: string): Promise<void> {
    if (await this.options.confirmRealValues()) await vscode.env.clipboard.writeText(text);
  }

  private recordOf(argument: unknown): FieldRecord {
    const node = this.nodeOf(argument);
    return (node.kind === 'row' ? node : node.parent).row.record;
  }

  private nodeOf(argument: unknown): AccountNode {
    for (const tree of this.options.trees) {
      const node = tree.nodeOf(argument);
      if (node) return node;
    }
    throw rowIsGone();
  }
}

/** Leaves assets at zero out of the view, or shows them again. */
export function toggleZeroAssets(): Promise<void> {
  return writeSetting('marginDesk.hideZeroAssets', !hidesZeroAssetsSetting());
}

function rowIsGone(): SentenceError {
  return new SentenceError(
    vscode.l10n.t('Nothing was done: choose this from the menu of a row that is still there.'),
  );
}
