import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { AccountNode } from './treeRow.ts';

/** A tree data provider that fires its changes as lists of nodes. */
export type TreeProvider<Node> = Omit<vscode.TreeDataProvider<Node>, 'onDidChangeTreeData'> & {
  readonly onDidChangeTreeData: vscode.Event<Node[] | undefined>;
};

/** The views of the account, registered at activation before the app is loaded. */
export type LazyAccountTrees = Readonly<
  Record<'positions' | 'assets' | 'lockedOrders', LazyTree<AccountNode>>
>;

/** A view that is registered before its provider exists. The provider is loaded when the view is first shown. */
export class LazyTree<Node> implements Disposable, vscode.TreeDataProvider<Node> {
  private readonly disposables = new DisposableStore();
  private readonly didChange = this.disposables.add(new vscode.EventEmitter<Node[] | undefined>());
  private readonly loadProvider: () => Promise<unknown>;
  private provider: TreeProvider<Node> | undefined;
  readonly view: vscode.TreeView<Node>;

  readonly onDidChangeTreeData = this.didChange.event;

  /** `loadProvider` calls `setProvider` before it resolves. */
  constructor(id: string, loadProvider: () => Promise<unknown>) {
    this.loadProvider = loadProvider;
    this.view = this.disposables.add(
      vscode.window.createTreeView<Node>(id, { treeDataProvider: this }),
    );
  }

  setProvider(provider: TreeProvider<Node>): void {
    this.provider = provider;
    this.disposables.add(provider.onDidChangeTreeData((nodes) => this.didChange.fire(nodes)));
  }

  async getChildren(node?: Node): Promise<Node[]> {
    if (!this.provider) await this.loadProvider();
    return (await this.provider?.getChildren(node)) ?? [];
  }

  getTreeItem(node: Node): vscode.TreeItem | Thenable<vscode.TreeItem> {
    return this.provider?.getTreeItem(node) ?? new vscode.TreeItem('');
  }

  getParent(node: Node): vscode.ProviderResult<Node> {
    return this.provider?.getParent?.(node);
  }

  resolveTreeItem(
    item: vscode.TreeItem,
    node: Node,
    token: vscode.CancellationToken,
  ): vscode.ProviderResult<vscode.TreeItem> {
    return this.provider?.resolveTreeItem?.(item, node, token);
  }

  dispose(): void {
    this.disposables.dispose();
  }
}
