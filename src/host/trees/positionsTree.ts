import * as vscode from 'vscode';
import type { ActiveAccount, ActiveState } from '../../account/activeAccount.ts';
import type { AccountState } from '../../account/accountStore.ts';
import { environmentLabel, type Profile } from '../../account/profile.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { utcTime } from '../../base/format.ts';
import type { BadRecord, Position } from '../../exchange/records.ts';
import { views } from '../contributions.ts';
import { quoted, sentenceFor } from '../words.ts';
import { positionFieldItem, positionFields, positionItem } from './positionNode.ts';

type PositionNode = { readonly kind: 'position'; readonly id: string; readonly position: Position };
type FieldNode = {
  readonly kind: 'field';
  readonly parent: PositionNode;
  readonly field: (typeof positionFields)[number];
};
type Node = PositionNode | FieldNode;

/** The Positions view: drawn from the open session's store, without any I/O. */
export class PositionsTree implements Disposable, vscode.TreeDataProvider<Node> {
  private readonly disposables = new DisposableStore();
  private readonly didChange = this.disposables.add(new vscode.EventEmitter<void>());
  private readonly active: ActiveAccount;
  readonly view: vscode.TreeView<Node>;

  readonly onDidChangeTreeData = this.didChange.event;

  constructor(active: ActiveAccount) {
    this.active = active;
    this.view = this.disposables.add(
      vscode.window.createTreeView<Node>(views.positions, { treeDataProvider: this }),
    );
    this.disposables.add(active.onDidChange(() => this.draw()));
    this.draw();
  }

  getTreeItem(node: Node): vscode.TreeItem {
    return node.kind === 'position'
      ? positionItem(node.position, node.id)
      : positionFieldItem(node.parent.position, node.field, node.parent.id);
  }

  getChildren(node?: Node): Node[] {
    if (!node) return this.positions();
    if (node.kind === 'field') return [];
    return positionFields.map((field) => ({ kind: 'field', parent: node, field }));
  }

  getParent(node: Node): Node | undefined {
    return node.kind === 'field' ? node.parent : undefined;
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private positions(): PositionNode[] {
    const { state } = this.active;
    if (state.kind !== 'open') return [];
    const positions = state.session.store.state.snapshot?.account.positions ?? [];
    return positions.map((position, index) => {
      const twins = positions.slice(0, index).filter(({ symbol }) => symbol === position.symbol);
      return { kind: 'position', id: `${position.symbol}#${twins.length}`, position };
    });
  }

  private draw(): void {
    const { state } = this.active;
    this.view.message = messageFor(state) ?? '';
    this.didChange.fire();
  }
}

function messageFor(state: ActiveState): string | undefined {
  switch (state.kind) {
    case 'closed':
      return undefined;
    case 'opening':
      return vscode.l10n.t('Opening {0} …', quoted(state.name));
    case 'failed':
      return sentenceFor(state.error);
    case 'open':
      return accountMessage(state.session.profile, state.session.store.state);
  }
}

function accountMessage(profile: Profile, state: AccountState): string {
  const whose = `${quoted(profile.name)} · ${environmentLabel(profile)}`;
  return [whose, ...accountWords(profile, state)].join(' — ');
}

function accountWords(profile: Profile, { snapshot, failure }: AccountState): string[] {
  if (!snapshot) return [failure ? sentenceFor(failure) : vscode.l10n.t('reading the account …')];
  const words = snapshot.badRecords.map(badRecordWords);
  if (failure) {
    const asOf = utcTime(String(snapshot.asOf));
    words.unshift(sentenceFor(failure), vscode.l10n.t('These figures are as of {0}.', asOf));
  }
  if (snapshot.account.positions.length === 0) words.push(vscode.l10n.t('No open positions.'));
  if (profile.environment === 'practice')
    words.push(
      vscode.l10n.t('Made-up money. Orders that you cancel return when this exchange restarts.'),
    );
  return words;
}

function badRecordWords({ problem }: BadRecord): string {
  return vscode.l10n.t('A record of the account could not be read: {0}.', quoted(problem));
}
