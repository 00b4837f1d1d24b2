import * as vscode from 'vscode';
import { fieldText, copiedJson, type AccountRecord } from '../../account/session/recordJson.ts';
import { cleanText } from '../../base/cleanText.ts';
import { unknownText } from '../../base/decimal.ts';
import { UserFacingError } from '../../base/errors.ts';
import type { TableName } from '../../protocol/table.ts';
import type { FeatureContext } from '../feature/context.ts';
import { t } from '../shared/translate.ts';
import type { TablePanels } from '../tables/panels.ts';
import { writeSetting } from '../settings/settings.ts';
import { settingValue } from '../settings/settingValues.ts';
import { commands, views } from '../shared/contributions.ts';
import { colorLiveAccounts } from './accountHead.ts';
import { AccountTree } from './accountTree.ts';
import { assetsView, lockedOrdersView, positionsView } from './accountViews.ts';
import { LazyTree } from './lazyTree.ts';
import { RecordsTree } from './recordsTree.ts';
import type { RecordNode } from './treeRow.ts';

/** The views of the account in the side bar, and the commands of their rows. */
export function registerTrees(
  context: FeatureContext,
  lazyPositions: LazyTree,
  panels: TablePanels,
) {
  const { add } = context;
  const treeOf = (id: string): LazyTree => add(new LazyTree(id));
  const positions = add(new AccountTree(lazyPositions, positionsView(), context));
  const assets = add(new AccountTree(treeOf(views.assets), assetsView(), context));
  const lockedOrders = add(
    new AccountTree(treeOf(views.lockedOrders), lockedOrdersView(), context),
  );
  add(new RecordsTree());
  context.add(colorLiveAccounts());
  const trees = [positions, assets, lockedOrders];
  const { commands } = new RowCommands({ ...context, trees, panels });
  return { positions, assets, lockedOrders, views: trees.map(({ view }) => view), commands };
}

type RowCommandsOptions = {
  readonly trees: readonly AccountTree[];
  readonly panels: TablePanels;
  /** Whether values that privacy hides may be copied. */
  readonly confirmRealValues: () => Promise<boolean>;
};

/** The commands in the context menus of tree rows. Each throws a UserFacingError if its row is gone. */
class RowCommands {
  private readonly options: RowCommandsOptions;
  readonly commands = {
    [commands.toggleZeroAssets]: toggleZeroAssets,
    [commands.copyValue]: (node: unknown) => this.copyValue(node),
    [commands.copyRow]: (node: unknown) => this.copyRow(node),
    [commands.openSymbolOrders]: (node: unknown) => this.openHistory('orders', node),
    [commands.openSymbolTrades]: (node: unknown) => this.openHistory('trades', node),
    [commands.openSymbolLots]: (node: unknown) => this.openHistory('lots', node),
    [commands.openPositionLeverageRule]: (row: unknown) => this.openLeverageRule(row),
  };

  constructor(options: RowCommandsOptions) {
    this.options = options;
  }

  /** Copies one field exactly as the exchange sent it. */
  private copyValue(argument: unknown): Promise<void> {
    const node = this.requireNode(argument);
    const name = node.kind === 'field' ? node.field[2] : undefined;
    const text = name && fieldText(this.recordOf(node), name);
    if (text === undefined) throw rowGoneError();
    return this.copy(text);
  }

  /** Copies the row's record as JSON, every number exactly as the exchange sent it. */
  private copyRow(argument: unknown): Promise<void> {
    return this.copy(copiedJson(this.recordOf(argument)));
  }

  /** Opens a history filtered by this row's symbol. */
  private openHistory(name: TableName, argument: unknown): void {
    const record = this.recordOf(argument);
    if (!('symbol' in record)) throw rowGoneError();
    this.options.panels.show(name, { symbol: record.symbol });
  }

  /** Opens the leverage rules and reveals the one of this row's position. */
  private openLeverageRule(argument: unknown): void {
    const record = this.recordOf(argument);
    if (!('leverage' in record)) throw rowGoneError();
    const { leverage, symbol } = record;
    const names = [cleanText(leverage ?? unknownText, 40), cleanText(symbol, 40)];
    const missing = t('No rule for {0}× ({1}) is listed.', ...names);
    this.options.panels.show(
      'leverageRules',
      {},
      { fields: { leverage: leverage ?? '' }, missing },
    );
  }

  /** Takes the text, not the row: a row can change while the confirmation is open. */
  private async copy(text: string): Promise<void> {
    if (await this.options.confirmRealValues()) await vscode.env.clipboard.writeText(text);
  }

  private recordOf(argument: unknown): AccountRecord {
    const node = this.requireNode(argument);
    return (node.kind === 'row' ? node : node.parent).row.record;
  }

  private requireNode(argument: unknown): RecordNode {
    for (const tree of this.options.trees) {
      const node = tree.findNode(argument);
      if (node) return node;
    }
    throw rowGoneError();
  }
}

function toggleZeroAssets(): Promise<void> {
  return writeSetting('marginDesk.hideZeroAssets', !settingValue('marginDesk.hideZeroAssets'));
}

function rowGoneError(): UserFacingError {
  return new UserFacingError(
    t('Nothing was done. This row no longer exists: use the menu of another row.'),
  );
}
