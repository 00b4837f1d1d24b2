import * as vscode from 'vscode';
import { DisposableOwner } from '../../base/disposable.ts';
import type { AccountNode } from './treeRow.ts';

/** A tree data provider that fires its changes as lists of nodes. */
export type TreeProvider = Omit<vscode.TreeDataProvider<AccountNode>, 'onDidChangeTreeData'> & {
  readonly onDidChangeTreeData: vscode.Event<AccountNode[] | undefined>;
};

/** A view that is registered before its provider exists. The provider is loaded when the view is first shown. */
export class LazyTree extends DisposableOwner implements vscode.TreeDataProvider<AccountNode> {
  private readonly didChange = this.disposables.add(
    new vscode.EventEmitter<AccountNode[] | undefined>(),
  );
  private readonly loadProvider: () => Promise<unknown>;
  private provider: TreeProvider | undefined;
  readonly view: vscode.TreeView<AccountNode>;

  readonly onDidChangeTreeData = this.didChange.event;

  /** `loadProvider` calls `setProvider` before it resolves; needless if that is called at once. */
  constructor(id: string, loadProvider: () => Promise<unknown> = () => Promise.resolve()) {
    super();
    this.loadProvider = loadProvider;
    this.view = this.disposables.add(
      vscode.window.createTreeView<AccountNode>(id, { treeDataProvider: this }),
    );
  }

  setProvider(provider: TreeProvider): void {
    this.provider = provider;
    this.disposables.add(provider.onDidChangeTreeData((nodes) => this.didChange.fire(nodes)));
  }

  async getChildren(node?: AccountNode): Promise<AccountNode[]> {
    if (!this.provider) await this.loadProvider();
    return (await this.provider?.getChildren(node)) ?? [];
  }

  getTreeItem(node: AccountNode): vscode.TreeItem | Thenable<vscode.TreeItem> {
    return this.provider?.getTreeItem(node) ?? new vscode.TreeItem('');
  }

  resolveTreeItem(
    item: vscode.TreeItem,
    node: AccountNode,
    token: vscode.CancellationToken,
  ): vscode.ProviderResult<vscode.TreeItem> {
    return this.provider?.resolveTreeItem?.(item, node, token);
  }
}
