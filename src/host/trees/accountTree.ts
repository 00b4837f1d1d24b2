import * as vscode from 'vscode';
import type { ActiveAccount } from '../../account/activeAccount.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { DisplayState } from '../displayState.ts';
import { whose } from '../words.ts';
import { accountMessage } from './accountMessage.ts';
import type { AccountView } from './accountViews.ts';
import { fieldItem, rowItem, type Row, type RowField } from './row.ts';

type RowNode = { readonly kind: 'row'; readonly id: string; readonly row: Row };
type FieldNode = { readonly kind: 'field'; readonly parent: RowNode; readonly field: RowField };
export type AccountNode = RowNode | FieldNode;

/** A view of the account: drawn from the open session's store, without any I/O. */
export class AccountTree implements Disposable, vscode.TreeDataProvider<AccountNode> {
  private readonly disposables = new DisposableStore();
  private readonly didChange = this.disposables.add(new vscode.EventEmitter<void>());
  private readonly active: ActiveAccount;
  private readonly display: DisplayState;
  private readonly shows: AccountView;
  readonly view: vscode.TreeView<AccountNode>;

  readonly onDidChangeTreeData = this.didChange.event;

  constructor(active: ActiveAccount, display: DisplayState, shows: AccountView) {
    this.active = active;
    this.display = display;
    this.shows = shows;
    this.view = this.disposables.add(
      vscode.window.createTreeView<AccountNode>(shows.id, { treeDataProvider: this }),
    );
    this.disposables.add(active.onDidChange(() => this.draw()));
    this.disposables.add(display.onDidChange(() => this.draw()));
    this.draw();
  }

  getTreeItem(node: AccountNode): vscode.TreeItem {
    return node.kind === 'row' ? rowItem(node.row, node.id) : fieldItem(node.field, node.parent.id);
  }

  getChildren(node?: AccountNode): AccountNode[] {
    if (!node) return this.rows();
    if (node.kind === 'field') return [];
    return node.row.fields.map((field) => ({ kind: 'field', parent: node, field }));
  }

  getParent(node: AccountNode): AccountNode | undefined {
    return node.kind === 'field' ? node.parent : undefined;
  }

  dispose(): void {
    this.disposables.dispose();
  }

  /** Two records may have one name; each still needs an id of its own. */
  private rows(): RowNode[] {
    const { state } = this.active;
    const snapshot = state.kind === 'open' ? state.session.store.state.snapshot : undefined;
    if (!snapshot) return [];
    const seen = new Map<string, number>();
    return this.shows.rows(snapshot, this.display.current).map((row) => {
      const twins = seen.get(row.key) ?? 0;
      seen.set(row.key, twins + 1);
      return { kind: 'row', id: `${row.key}#${twins}`, row };
    });
  }

  private draw(): void {
    const { state } = this.active;
    this.view.description = state.kind === 'open' ? whose(state.session.profile) : '';
    this.view.message = accountMessage(state, this.shows, this.display.current) ?? '';
    this.didChange.fire();
  }
}
