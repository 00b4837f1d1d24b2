import * as v from 'valibot';
import * as vscode from 'vscode';
import type { AccountSession } from '../../account/session/accountSession.ts';
import type { ActiveAccount } from '../../account/session/activeAccount.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { GridCommand } from '../../protocol/gridMessages.ts';
import {
  overviewActionSchema,
  type OpenedOverview,
  type OverviewAction,
  type OverviewDocument,
  type OverviewEvents,
  type OverviewMethods,
} from '../../protocol/overview.ts';
import type { Handlers, RpcServer } from '../../protocol/rpcServer.ts';
import { commands, type CommandId } from '../shared/contributions.ts';
import { logRejection } from '../shared/log.ts';
import { gridRequests, type CellCopyingOptions } from '../webview/gridRequests.ts';
import { nameAccountTab } from '../webview/tab.ts';
import type { TableChoices } from '../webview/tableChoices.ts';
import { serveDocumentPage, type DocumentPageOptions } from '../webview/webviewPage.ts';
import { environmentOfProfile } from '../profiles/profileSettings.ts';
import type { AccountReconciliation } from '../reconciliation/accountReconciliation.ts';
import type { RiskAssessment } from '../settings/riskAssessment.ts';
import { OverviewReads } from './onDemandRead.ts';
import { overviewDocument } from './overviewDocument.ts';
import { positionColumns, positionRecord, positionsGridTexts } from './positionsTable.ts';

type OverviewPanelOptions = DocumentPageOptions &
  Pick<CellCopyingOptions, 'confirmRealValues'> & {
    readonly active: ActiveAccount;
    readonly risk: RiskAssessment;
    readonly choices: TableChoices;
    readonly reconciliation: AccountReconciliation;
    /** Runs a command, which reports its own failures. */
    readonly run: (id: CommandId) => void;
  };

/** The host's end of the account overview: the account that is open, as it is. */
export class OverviewPanel implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly options: OverviewPanelOptions;
  readonly panel: vscode.WebviewPanel;
  private readonly rpc: RpcServer<OverviewMethods, OverviewEvents>;
  private readonly reads: OverviewReads;
  /** Whose rows the reads have. */
  private session: AccountSession | undefined;
  /** The document that the page has, as JSON. */
  private sent = '';
  /** The last document that a page was sent; null once the display settings are others. */
  private shown: OverviewDocument | null = null;

  constructor(panel: vscode.WebviewPanel, options: OverviewPanelOptions) {
    this.panel = panel;
    this.options = options;
    const { active, display, risk, reconciliation } = options;
    this.reads = this.disposables.add(new OverviewReads(display, () => this.update()));
    this.session = this.openSession;
    const handlers: Handlers<OverviewMethods> = {
      ...gridRequests({
        ...options,
        onCopied: (selection) => this.rpc.notify('grid/copied', selection),
        columns: () => positionColumns(risk.limits, display.latest()),
        records: (pageId) => this.shownPositions(pageId),
        layout: options.choices.layout('positions'),
        // The page after this one gets the layout with the rows that were shown.
        onLayout: () => this.update(),
      }),
      'overview/open': { params: v.null(), run: this.describe },
      'overview/press': { params: overviewActionSchema, run: this.press },
    };
    const data = { texts: JSON.stringify(positionsGridTexts()) };
    const page = { name: 'overview', data } as const;
    this.rpc = this.disposables.add(
      serveDocumentPage<OverviewMethods, OverviewEvents>(panel.webview, page, handlers, options),
    );
    this.disposables.add(panel);
    this.disposables.add(display.onDidChange(() => (this.shown = null)));
    for (const { onDidChange } of [active, display, risk, reconciliation])
      this.disposables.add(onDidChange(() => this.update()));
    this.updateTitle();
    reconciliation.want();
  }

  /** Has the page do something with the selected cells of its grid. */
  command(command: GridCommand): void {
    this.rpc.notify('grid/command', command);
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private get openSession(): AccountSession | undefined {
    const { state } = this.options.active;
    return state.kind === 'open' ? state.session : undefined;
  }

  private readonly describe = (): OpenedOverview => {
    this.readRates();
    const document = this.document();
    const { shown: before } = this;
    this.sent = JSON.stringify(document);
    this.shown = document;
    return { document, before };
  };

  /** Once for each account that the page shows: the rates seldom change. */
  private readRates(): void {
    const { session, reads } = this;
    if (session?.store.state.snapshot)
      logRejection(this.options.log, 'reading the rates', reads.readFeeTiersOnce(session));
  }

  private document(): OverviewDocument {
    const { active, display, risk, choices, reconciliation } = this.options;
    const { states: reads } = this.reads;
    return overviewDocument({
      state: active.state,
      display: display.latest(),
      risk,
      reads,
      layout: choices.layout('positions').get(),
      reconciliation: reconciliation.state,
      environmentOf: environmentOfProfile,
    });
  }

  private readonly press = (action: OverviewAction): void => {
    const { log, run } = this.options;
    if (action !== 'readFeeTiers' && action !== 'readRecent') run(commands[action]);
    else if (this.session)
      logRejection(log, 'reading for the overview', this.reads[action](this.session));
  };

  /** Undefined if the positions were read again meanwhile. */
  private shownPositions(pageId: number): readonly object[] | undefined {
    const { snapshot } = this.openSession?.store.state ?? {};
    if (snapshot?.asOf !== pageId) return undefined;
    return this.options.risk.rankPositions(snapshot).map(positionRecord);
  }

  /** Posts only what changed. A hidden page is discarded, and asks again when it is shown. */
  private update(): void {
    if (this.openSession !== this.session) {
      this.session = this.openSession;
      this.reads.reset();
    }
    this.updateTitle();
    if (this.panel.visible) this.readRates();
    const document = this.document();
    const json = JSON.stringify(document);
    if (json === this.sent) return;
    this.sent = json;
    if (this.panel.visible) this.shown = document;
    this.rpc.notify('overview/changed', document);
  }

  private updateTitle(): void {
    const { active, extensionUri } = this.options;
    nameAccountTab(this.panel, vscode.l10n.t('Overview'), active, extensionUri);
  }
}
