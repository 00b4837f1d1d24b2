import * as vscode from 'vscode';
import type { ActiveAccount } from '../../account/activeAccount.ts';
import type { Reference } from '../../account/reference.ts';
import type { Session } from '../../account/session.ts';
import type { Display } from '../../base/display.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { DisplayState } from '../displayState.ts';
import type { RiskState } from '../riskState.ts';
import { hidesZeroAssetsSetting, onDidChangeHidesZeroAssets } from '../settings.ts';
import { ageWords, whose } from '../words.ts';
import { accountMessage } from './accountMessage.ts';
import type { AccountView, Drawing } from './accountViews.ts';
import {
  agedRow,
  fieldItem,
  rowHover,
  rowItem,
  type AccountNode,
  type Row,
  type RowField,
  type RowNode,
} from './row.ts';
import { replaceRows, type RowChange } from './rowNodes.ts';
import type { TreeDrawer, TreePlace } from './treePlace.ts';

export type AccountTreeOptions = {
  readonly active: ActiveAccount;
  readonly display: DisplayState;
  readonly risk: RiskState;
};

/**
 * A view of the account: drawn from the open session's store, without any I/O, and only where
 * something changed. What rows show of reference data is read once somebody looks.
 */
export class AccountTree implements Disposable, TreeDrawer<AccountNode> {
  private readonly disposables = new DisposableStore();
  private readonly didChange = this.disposables.add(
    new vscode.EventEmitter<AccountNode[] | undefined>(),
  );
  private readonly options: AccountTreeOptions;
  private readonly shows: AccountView;
  private nodes: readonly RowNode[] = [];
  private inputs: readonly unknown[] = [];
  /** A setting costs too much to be looked up for each drawing. */
  private hidesZeroAssets = hidesZeroAssetsSetting();
  private lookedUp: { readonly reference: Reference<unknown>; readonly known: unknown } | undefined;
  readonly view: vscode.TreeView<AccountNode>;

  readonly onDidChangeTreeData = this.didChange.event;

  constructor(place: TreePlace<AccountNode>, shows: AccountView, options: AccountTreeOptions) {
    this.options = options;
    this.shows = shows;
    this.view = place.view;
    place.drawBy(this);
    const { active, display, risk } = options;
    const draw = (): void => this.draw();
    for (const onDidChange of [active.onDidChange, display.onDidChange, risk.onDidChange])
      this.disposables.add(onDidChange(draw));
    this.disposables.add(
      onDidChangeHidesZeroAssets(() => {
        this.hidesZeroAssets = hidesZeroAssetsSetting();
        draw();
      }),
    );
    this.disposables.add(this.view.onDidChangeVisibility(draw));
    draw();
  }

  getTreeItem(node: AccountNode): vscode.TreeItem {
    return node.kind === 'row' ? rowItem(node, this.options.display.current) : fieldItem(node);
  }

  getChildren(node?: AccountNode): AccountNode[] {
    if (!node) return [...this.nodes];
    if (node.kind === 'field') return [];
    const { fields, notes } = node.row;
    return [...fields, ...notes].map((field) => ({ kind: 'field', parent: node, field }));
  }

  getParent(node: AccountNode): AccountNode | undefined {
    return node.kind === 'field' ? node.parent : undefined;
  }

  /** VS Code asks when a pointer or a key asks for the hover. */
  async resolveTreeItem(item: vscode.TreeItem, node: AccountNode): Promise<vscode.TreeItem> {
    const { session } = this.drawing() ?? {};
    const reference = session && this.shows.lookUp?.(session);
    if (reference && !reference.isFresh) {
      await reference.soon();
      this.draw();
    }
    item.tooltip = this.hover(node);
    return item;
  }

  /** The hover of a row as it is known now. */
  hover(node: AccountNode): vscode.MarkdownString | undefined {
    if (node.kind === 'field') return undefined;
    const drawing = this.drawing();
    const { row } = node;
    if (!drawing) return rowHover(row, [], []);
    const more = this.shows.hoverMore?.(row, drawing.session, drawing.display) ?? [];
    const age = ageField(drawing);
    // A hover that is too long for the window is cut at its end.
    const isStale = ageOf(drawing) !== '';
    return isStale ? rowHover(row, [age], more) : rowHover(row, [], [...more, age]);
  }

  /** What a command got from a row's menu: the node, where it is one of this view that still stands. */
  nodeOf(argument: unknown): AccountNode | undefined {
    const rowOf = (node: AccountNode): RowNode => (node.kind === 'row' ? node : node.parent);
    const node = argument as AccountNode | undefined;
    return this.nodes.some((row) => row === (node?.kind && rowOf(node))) ? node : undefined;
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private drawing(): Drawing | undefined {
    const { active, display, risk } = this.options;
    if (active.state.kind !== 'open') return undefined;
    const { session } = active.state;
    const { snapshot } = session.store.state;
    if (!snapshot) return undefined;
    const { hidesZeroAssets } = this;
    return { session, snapshot, display: display.current, risk, hidesZeroAssets };
  }

  private draw(): void {
    const drawing = this.drawing();
    const changed = this.redrawRows(drawing);
    this.drawSurroundings(drawing);
    if (changed === 'all') this.didChange.fire(undefined);
    else if (changed.length > 0) this.didChange.fire([...changed]);
    if (drawing && this.view.visible && this.nodes.length > 0) this.lookUp(drawing.session);
  }

  private redrawRows(drawing: Drawing | undefined): RowChange['changed'] {
    const inputs = drawing ? [...this.shows.inputs(drawing), ageOf(drawing)] : [];
    const isSame =
      inputs.length === this.inputs.length &&
      inputs.every((input, index) => input === this.inputs[index]);
    if (isSame) return [];
    this.inputs = inputs;
    const { nodes, changed } = replaceRows(this.nodes, drawing ? this.agedRows(drawing) : []);
    this.nodes = nodes;
    return changed;
  }

  private agedRows(drawing: Drawing): readonly Row[] {
    const { staleMs } = drawing.session.freshness;
    return this.shows.rows(drawing).map((row) => agedRow(row, staleMs, drawing.display));
  }

  /** Each assignment reaches the window: only what is new is assigned. */
  private drawSurroundings(drawing: Drawing | undefined): void {
    const { active, display } = this.options;
    const { state } = active;
    const { view, shows } = this;
    const description = state.kind === 'open' ? describe(state.session, display.current) : '';
    const message = accountMessage(state, shows, drawing, this.nodes.length, display.current) ?? '';
    const badge = drawing && shows.badge?.(drawing);
    if (view.description !== description) view.description = description;
    if (view.message !== message) view.message = message;
    if (JSON.stringify(view.badge) !== JSON.stringify(badge)) view.badge = badge;
  }

  /** Once for each value that grew old; a hover asks again for what could not be read. */
  private lookUp(session: Session): void {
    const reference = this.shows.lookUp?.(session);
    if (!reference || reference.isFresh) return;
    const { known } = reference;
    if (this.lookedUp?.reference === reference && this.lookedUp.known === known) return;
    this.lookedUp = { reference, known };
    void reference.get().then(() => this.draw());
  }
}

/** How old stale figures are, as it is said; empty while they are fresh. */
function ageOf({ session: { freshness }, display }: Drawing): string {
  return freshness.staleMs === undefined ? '' : ageWords(freshness.staleMs, display);
}

/** When a row's figures were read: a hover may stand, or be shown again, long after. */
function ageField({ session, snapshot, display }: Drawing): RowField {
  const { staleMs } = session.freshness;
  const time = display.timeInBoth(String(snapshot.asOf));
  const words =
    staleMs === undefined
      ? time
      : vscode.l10n.t('{0} · stale: {1} old', time, ageWords(staleMs, display));
  return [vscode.l10n.t('as of'), words];
}

/** Whose figures these are, and their age once they are stale. */
function describe({ profile, freshness: { staleMs } }: Session, display: Display): string {
  if (staleMs === undefined) return whose(profile);
  return vscode.l10n.t('{0} · stale, {1}', whose(profile), ageWords(staleMs, display));
}
