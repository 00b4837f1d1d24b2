import * as v from 'valibot';
import type * as vscode from 'vscode';
import { DisposableOwner } from '../../base/disposable.ts';
import type { Event } from '../../base/emitter.ts';
import { systemClock } from '../../base/time.ts';
import {
  documentParams,
  documentSchema,
  type Choices,
  type Document,
  type DocumentButton,
  type DocumentEvents,
  type DocumentMethods,
  type DocumentState,
  type OpenedDocument,
  type Press,
} from '../../protocol/document.ts';
import type { RpcServer } from '../../base/rpc.ts';
import type { Handlers } from '../../protocol/messages.ts';
import { commands, type CommandId } from '../shared/contributions.ts';
import { documentPhrases } from '../../protocol/texts.ts';
import { localizedTexts } from '../text/messageText.ts';
import { Followed } from './followed.ts';
import { gridRequests, type DocumentGrid, type GridRequestsOptions } from './gridRequests.ts';
import { showTab, type PanelTab } from './tab.ts';
import { servePage, type PageOptions } from './webviewPage.ts';

/** A button with what it does. It gets where it was pressed, and returns a word for the user, or nothing. */
export type Action = DocumentButton & { readonly run: (at: readonly number[]) => unknown };
/** The name of a command is an action by itself. */
type CommandButton = DocumentButton & { readonly action: keyof typeof commands };

/** The same part of a document as the host has it: its buttons can be pressed. */
export type Live<Part> = Part extends DocumentButton
  ? Action | CommandButton
  : Part extends readonly (infer Item)[]
    ? readonly Live<Item>[]
    : Part extends object
      ? { readonly [Name in keyof Part]: Live<Part[Name]> }
      : Part;
export type LiveDocument = Live<Document>;

/** What a feature says of its document. */
export type DocumentSource = {
  readonly tab: () => PanelTab;
  /** As it is now. `choices` are new ones of the page; null leaves them as they are. */
  readonly document: (choices: Choices | null) => LiveDocument | Promise<LiveDocument>;
  /** A page comes into sight. After a reload the account may not be open yet. */
  readonly opened?: () => void;
  /** After each of them the document or the tab may be another one. */
  readonly changes: readonly Event<unknown>[];
  readonly grid?: DocumentGrid;
};

export type DocumentPanelOptions = PageOptions & {
  /** Runs a command, which reports its own failures. */
  readonly run: (id: CommandId) => void;
};

type PanelName = Pick<DocumentState, 'kind' | 'key'>;

/** The host's end of a page that shows a document. */
export class DocumentPanel extends DisposableOwner {
  private readonly options: DocumentPanelOptions;
  private readonly source: DocumentSource;
  readonly panel: vscode.WebviewPanel;
  readonly rpc: RpcServer<DocumentMethods, DocumentEvents>;
  private readonly followed: Followed<LiveDocument>;
  /** What a page has chosen and no document has been computed for. */
  private chosen: Choices | null = null;
  private current: LiveDocument | undefined;
  private failure: unknown;
  private latest: Document | undefined;
  /** The same as JSON. */
  private sent = '';
  /** What a page showed last; null once the account or the display settings are others. */
  private shown: Document | null = null;
  /** The same when the page asked that waits for a document now. */
  private before: Document | null = null;
  private waitingPages = 0;

  constructor(
    panel: vscode.WebviewPanel,
    name: PanelName,
    source: DocumentSource,
    options: DocumentPanelOptions,
  ) {
    super();
    this.panel = panel;
    this.source = source;
    this.options = options;
    const { display, log } = options;
    this.followed = this.disposables.add(
      new Followed({
        compute: () => this.compute(),
        show: (document) => this.show(document),
        fail: (error) => {
          this.failure = error;
          if (this.waitingPages === 0) log.failure(`the document ${name.kind}`, error);
        },
        delayMs: 0,
        isVisible: () => panel.visible,
        clock: systemClock,
      }),
    );
    this.rpc = this.disposables.add(this.serve(name));
    this.disposables.add(panel);
    for (const outdated of [display.onDidChange, options.active.onDidSwitch])
      this.disposables.add(outdated(() => (this.shown = this.before = null)));
    for (const change of [...source.changes, display.onDidChange])
      this.disposables.add(change(() => this.update()));
    showTab(panel, source.tab(), options.extensionUri);
  }

  /** Shows what has changed. A hidden page is discarded, and asks again when it is shown. */
  update(): void {
    showTab(this.panel, this.source.tab(), this.options.extensionUri);
    this.followed.change();
  }

  private serve(name: PanelName): DocumentPanel['rpc'] {
    const { options, source } = this;
    const { grid = noGrid } = source;
    const onCopied: GridRequestsOptions['onCopied'] = (selection) =>
      this.rpc.notify('grid/copied', selection);
    const handlers: Handlers<DocumentMethods> = {
      'document/open': this.open,
      'document/press': this.press,
      // The page after this one gets the layout with the rows that were shown.
      ...gridRequests({ ...options, ...grid, onCopied, onLayout: () => this.followed.change() }),
    };
    const texts = JSON.stringify({ ...localizedTexts(documentPhrases), ...grid.texts });
    const data = { ...name, texts, grid: grid.name };
    const opening = (): string => `document ${name.kind} ${name.key}`;
    const page = { name: 'document', data } as const;
    return servePage(this.panel, page, documentParams, handlers, { ...options, opening });
  }

  /** As all documents are computed one after the other, none replaces a newer one. */
  private readonly open = async (choices: Choices | null): Promise<OpenedDocument> => {
    this.source.opened?.();
    this.chosen = choices ?? this.chosen;
    this.before = this.shown;
    this.waitingPages += 1;
    await this.followed.update();
    this.waitingPages -= 1;
    const { latest, failure, before } = this;
    if (failure !== undefined || !latest) throw failure;
    return { document: latest, before };
  };

  private async compute(): Promise<LiveDocument> {
    const { chosen } = this;
    this.chosen = null;
    this.failure = undefined;
    return this.source.document(chosen);
  }

  /** Only what the schema declares is for the page. One that waits gets it as its answer. */
  private show(document: LiveDocument): void {
    const { sent: before } = this;
    const shown = v.parse(documentSchema, document);
    this.current = document;
    this.latest = this.shown = shown;
    this.sent = JSON.stringify(shown);
    if (this.waitingPages === 0 && this.sent !== before) this.rpc.notify('document/changed', shown);
  }

  /** Nothing if the document has no such button any more. */
  private readonly press = async ({ action, at }: Press): Promise<string | null> => {
    const button = this.current && findButton(this.current, action);
    if (!button) return null;
    if (!('run' in button)) {
      this.options.run(commands[button.action]);
      return null;
    }
    const said = await button.run(at);
    return typeof said === 'string' ? said : null;
  };
}

const noGrid: DocumentGrid = {
  name: '',
  columns: () => [],
  records: () => undefined,
  layout: { set: () => Promise.resolve() },
};

/** A button anywhere in a part of a document. */
function findButton(part: unknown, action: string): Action | CommandButton | undefined {
  if (typeof part !== 'object' || part === null) return undefined;
  if (isButton(part)) return part.action === action ? part : undefined;
  for (const inner of Object.values(part)) {
    const found = findButton(inner, action);
    if (found) return found;
  }
  return undefined;
}

function isButton(part: object): part is Action | CommandButton {
  return 'action' in part && 'label' in part;
}
