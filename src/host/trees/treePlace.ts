import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';

/** What draws a view. */
export type TreeDrawer<Node> = Omit<vscode.TreeDataProvider<Node>, 'onDidChangeTreeData'> & {
  readonly onDidChangeTreeData: vscode.Event<Node[] | undefined>;
};

/** A view that stands before what draws it is there: it is asked for when somebody looks. */
export class TreePlace<Node> implements Disposable, vscode.TreeDataProvider<Node> {
  private readonly disposables = new DisposableStore();
  private readonly didChange = this.disposables.add(new vscode.EventEmitter<Node[] | undefined>());
  private readonly ask: () => Promise<unknown>;
  private drawer: TreeDrawer<Node> | undefined;
  readonly view: vscode.TreeView<Node>;

  readonly onDidChangeTreeData = this.didChange.event;

  /** After `ask` has fulfilled, `drawBy` must have been called. */
  constructor(id: string, ask: () => Promise<unknown>) {
    this.ask = ask;
    this.view = this.disposables.add(
      vscode.window.createTreeView<Node>(id, { treeDataProvider: this }),
    );
  }

  /** From now on `drawer` draws the view. */
  drawBy(drawer: TreeDrawer<Node>): void {
    this.drawer = drawer;
    this.disposables.add(drawer.onDidChangeTreeData((nodes) => this.didChange.fire(nodes)));
  }

  async getChildren(node?: Node): Promise<Node[]> {
    if (!this.drawer) await this.ask();
    return (await this.drawer?.getChildren(node)) ?? [];
  }

  getTreeItem(node: Node): vscode.TreeItem | Thenable<vscode.TreeItem> {
    return this.drawer?.getTreeItem(node) ?? new vscode.TreeItem('');
  }

  getParent(node: Node): vscode.ProviderResult<Node> {
    return this.drawer?.getParent?.(node);
  }

  resolveTreeItem(
    item: vscode.TreeItem,
    node: Node,
    token: vscode.CancellationToken,
  ): vscode.ProviderResult<vscode.TreeItem> {
    return this.drawer?.resolveTreeItem?.(item, node, token);
  }

  dispose(): void {
    this.disposables.dispose();
  }
}
