import * as vscode from 'vscode';
import type { AccountSession } from '../../account/session/accountSession.ts';
import { unreadableFields, unreadableRecords } from '../../account/session/accountStore.ts';
import type { ActiveState } from '../../account/session/activeAccount.ts';
import type { CachedRead } from '../../account/session/cachedRead.ts';
import type { Display } from '../../base/display.ts';
import { DisposableOwner } from '../../base/disposable.ts';
import { onDidChangeSetting } from '../settings/settings.ts';
import { settingValue } from '../settings/settingValues.ts';
import { views } from '../shared/contributions.ts';
import { t } from '../shared/translate.ts';
import { errorText } from '../text/failureText.ts';
import { accountLabel, ageText, unreadablePartText, untrustedText } from '../text/messageText.ts';
import { accountFailureText } from '../text/signInHelp.ts';
import { headItem, headsOf } from './accountHead.ts';
import {
  type AccountViewDefinition,
  type RenderContext,
  isRowReference,
  rowHover,
  type RowReference,
} from './accountViews.ts';
import type { TreeProvider, LazyTree } from './lazyTree.ts';
import {
  withStaleAge,
  fieldItem,
  rowItem,
  replaceRows,
  type AccountNode,
  type HeadNode,
  type RecordNode,
  type RowNode,
} from './treeRow.ts';
import type { Services } from '../settings/services.ts';

const hideZeroAssetsKey = 'marginDesk.hideZeroAssets';

type AccountTreeOptions = Pick<Services, 'active' | 'display' | 'risk'>;

/**
 * A view of the account. It draws from the store of the open session without I/O, and only what changed.
 * Reference data is read when the view is visible or a hover is shown.
 */
export class AccountTree extends DisposableOwner implements TreeProvider {
  private readonly didChange = this.disposables.add(
    new vscode.EventEmitter<AccountNode[] | undefined>(),
  );
  private readonly options: AccountTreeOptions;
  private readonly definition: AccountViewDefinition;
  private heads: readonly HeadNode[] = [];
  private nodes: readonly RowNode[] = [];
  private lastInputs: readonly unknown[] = [];
  /** Cached: looking up a setting for each update is slow. */
  private hidesZeroAssets = settingValue(hideZeroAssetsKey);
  private lastLoaded:
    | { readonly reference: CachedRead<unknown>; readonly cached: unknown }
    | undefined;
  readonly view: vscode.TreeView<AccountNode>;

  readonly onDidChangeTreeData = this.didChange.event;

  constructor(lazyTree: LazyTree, definition: AccountViewDefinition, options: AccountTreeOptions) {
    super();
    this.options = options;
    this.definition = definition;
    this.view = lazyTree.view;
    lazyTree.setProvider(this);
    const { active, display, risk } = options;
    for (const onDidChange of [active.onDidChange, display.onDidChange, risk.onDidChange])
      this.disposables.add(onDidChange(this.update));
    this.disposables.add(
      onDidChangeSetting([hideZeroAssetsKey], () => {
        this.hidesZeroAssets = settingValue(hideZeroAssetsKey);
        this.update();
      }),
    );
    this.disposables.add(this.view.onDidChangeVisibility(this.update));
    this.update();
  }

  getTreeItem(node: AccountNode): vscode.TreeItem {
    if (node.kind === 'head') return headItem(node.row);
    return node.kind === 'row' ? rowItem(node, this.options.display.current) : fieldItem(node);
  }

  getChildren(node?: AccountNode): AccountNode[] {
    if (!node) return [...this.heads, ...this.nodes];
    if (node.kind !== 'row') return [];
    return node.row.fields.map((field) => ({ kind: 'field', parent: node, field }));
  }

  /** Called when the hover is shown. */
  async resolveTreeItem(item: vscode.TreeItem, node: AccountNode): Promise<vscode.TreeItem> {
    const { session } = this.renderContext() ?? {};
    const reference = session && this.definition.referenceData?.(session);
    if (reference && !reference.isFresh) {
      await reference.getOrCached();
      this.update();
    }
    item.tooltip = this.hover(node);
    return item;
  }

  hover(node: AccountNode): vscode.MarkdownString | undefined {
    const context = this.renderContext();
    return context && node.kind === 'row' ? rowHover(node, this.definition, context) : undefined;
  }

  /** The argument of a menu command or of a link in a hover, if its row is still in this view. */
  findNode(argument: unknown): RecordNode | undefined {
    if (typeof argument !== 'object' || argument === null) return undefined;
    if (isRowReference(argument)) return this.referencedNode(argument);
    const node = argument as RecordNode;
    const row = node.kind === 'field' ? node.parent : node;
    return this.nodes.includes(row) ? node : undefined;
  }

  private referencedNode({ view, row }: RowReference): RecordNode | undefined {
    return view === this.definition.id ? this.nodes.find(({ id }) => id === row) : undefined;
  }

  private renderContext(): RenderContext | undefined {
    const { active, display, risk } = this.options;
    if (active.state.kind !== 'open') return undefined;
    const { session } = active.state;
    const { snapshot } = session.store.state;
    if (!snapshot) return undefined;
    const { hidesZeroAssets } = this;
    return { session, snapshot, display: display.current, risk, hidesZeroAssets };
  }

  private readonly update = (): void => {
    this.options.display.latest();
    const context = this.renderContext();
    const heads = this.updateHeads();
    const rows = this.updateRows(context);
    this.updateViewHeader(context);
    if (heads === 'all' || rows === 'all') this.didChange.fire(undefined);
    else if (heads.length + rows.length > 0) this.didChange.fire([...heads, ...rows]);
    if (context && this.view.visible && this.nodes.length > 0)
      this.loadReferenceData(context.session);
  };

  private updateHeads(): readonly HeadNode[] | 'all' {
    if (!isFirstView(this.definition)) return [];
    const { active, display } = this.options;
    const { nodes, changed } = replaceRows(
      'head',
      this.heads,
      headsOf(active.state, display.current),
    );
    this.heads = nodes;
    return changed;
  }

  private updateRows(context: RenderContext | undefined): readonly RowNode[] | 'all' {
    const inputs = context ? inputsOf(context) : [];
    const isSame =
      inputs.length === this.lastInputs.length &&
      inputs.every((input, index) => input === this.lastInputs[index]);
    if (isSame) return [];
    this.lastInputs = inputs;
    const staleAgeMs = context?.session.staleness.staleAgeMs;
    const rows = context
      ? this.definition.rows(context).map((row) => withStaleAge(row, staleAgeMs, context.display))
      : [];
    const { nodes, changed } = replaceRows('row', this.nodes, rows);
    this.nodes = nodes;
    return changed;
  }

  /** Assigns only what changed: each assignment is a message to the window. */
  private updateViewHeader(context: RenderContext | undefined): void {
    const { active, display } = this.options;
    const { state } = active;
    const { view, definition } = this;
    const description =
      state.kind === 'open' && !isFirstView(definition)
        ? viewDescription(state.session, display.current)
        : '';
    const message =
      viewMessage(state, definition, context, this.nodes.length, display.current) ?? '';
    const badge = context && definition.badge?.(context);
    if (view.description !== description) view.description = description;
    if (view.message !== message) view.message = message;
    if (JSON.stringify(view.badge) !== JSON.stringify(badge)) view.badge = badge;
  }

  /** Tries once for each expired value. A hover retries after a failure. */
  private loadReferenceData(session: AccountSession): void {
    const reference = this.definition.referenceData?.(session);
    if (!reference || reference.isFresh) return;
    const { cached } = reference;
    if (this.lastLoaded?.reference === reference && this.lastLoaded.cached === cached) return;
    this.lastLoaded = { reference, cached };
    void reference.get().then(() => this.update());
  }
}

/** Everything that rows depend on. They are built again only if one of these is another object. */
function inputsOf({ session, snapshot, display, risk, hidesZeroAssets }: RenderContext): unknown[] {
  const { staleness, exchangeInformation } = session;
  const { staleAgeMs } = staleness;
  const age = staleAgeMs === undefined ? '' : ageText(staleAgeMs, display);
  return [snapshot, display, risk.limits, hidesZeroAssets, exchangeInformation.cached, age];
}

/** The message above a view's rows, or in place of them. Only the first view says what is wrong with the account. */
export function viewMessage(
  state: ActiveState,
  view: AccountViewDefinition,
  context: RenderContext | undefined,
  rowCount: number,
  display: Display,
): string | undefined {
  const isFirst = isFirstView(view);
  const unread = t('Not read yet.');
  switch (state.kind) {
    case 'closed':
      return undefined;
    case 'opening':
      return isFirst ? t('Opening {0}…', untrustedText(state.name)) : unread;
    case 'failed':
      return isFirst ? errorText(state.error, display) : unread;
    case 'open':
      if (context) return openMessage(context, view, rowCount);
      if (!isFirst) return unread;
      return accountFailureText(state.session, display) ?? t('Reading the account…');
  }
}

function openMessage(
  context: RenderContext,
  view: AccountViewDefinition,
  rowCount: number,
): string | undefined {
  const { session, snapshot, display } = context;
  const isFirst = isFirstView(view);
  const bad = unreadableRecords(snapshot, view.list);
  const unreadable = [...(isFirst ? unreadableFields(snapshot) : []), ...bad];
  const sentences = [
    isFirst ? accountFailureText(session, display) : undefined,
    ...unreadable.map((record) => unreadablePartText(record, display)),
    ...(bad.length === 0 && rowCount === 0 ? [view.emptyMessage] : []),
    view.note?.(context),
  ];
  return sentences.filter((sentence) => sentence !== undefined).join(' ') || undefined;
}

/** Only this view says whose account it is, and what is wrong with it: repeating it would leave no room for rows. */
function isFirstView({ id }: AccountViewDefinition): boolean {
  return id === views.positions;
}

/** The account, the age of its figures once they are stale, and whether it is read-only. */
export function viewDescription(
  { profile, staleness: { staleAgeMs } }: AccountSession,
  display: Display,
): string {
  return [
    accountLabel(profile),
    ...(staleAgeMs === undefined ? [] : [t('stale, {0}', ageText(staleAgeMs, display))]),
    ...(profile.readOnly ? [t('read-only')] : []),
  ].join(' · ');
}
