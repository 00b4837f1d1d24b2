import * as v from 'valibot';
import * as vscode from 'vscode';
import type { AccountSession } from '../../account/session/accountSession.ts';
import type { ActiveAccount } from '../../account/session/activeAccount.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { systemClock } from '../../base/time.ts';
import {
  overviewActionSchema,
  type OverviewAction,
  type OverviewDocument,
  type OverviewEvents,
  type OverviewMethods,
} from '../../protocol/overview.ts';
import { RpcServer } from '../../protocol/rpcServer.ts';
import { commands, type CommandId } from '../contributions.ts';
import { logRejection, type Log } from '../log.ts';
import { toRpcFailure } from '../panels/tableRequests.ts';
import { pageRoots, webviewHtml } from '../panels/webviewHtml.ts';
import { environmentOfProfile } from '../profiles/profileSettings.ts';
import type { DisplayState } from '../settings/displayState.ts';
import type { RiskAssessment } from '../settings/riskAssessment.ts';
import { accountLabel } from '../text/messageText.ts';
import { overviewDocument } from './overviewDocument.ts';
import { OverviewReads } from './overviewReads.ts';

export type OverviewPanelOptions = {
  readonly extensionUri: vscode.Uri;
  readonly active: ActiveAccount;
  readonly display: DisplayState;
  readonly risk: RiskAssessment;
  /** Runs a command, which reports its own failures. */
  readonly run: (id: CommandId) => void;
  readonly log: Log;
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

  constructor(panel: vscode.WebviewPanel, options: OverviewPanelOptions) {
    this.panel = panel;
    this.options = options;
    const { extensionUri, active, display, risk } = options;
    const { webview } = panel;
    this.reads = this.disposables.add(new OverviewReads(display, () => this.update()));
    this.session = this.openSession;
    this.rpc = this.disposables.add(this.createRpcServer(webview));
    this.disposables.add(panel);
    for (const { onDidChange } of [active, display, risk])
      this.disposables.add(onDidChange(() => this.update()));
    this.updateTitle();
    webview.options = { enableScripts: true, localResourceRoots: pageRoots(extensionUri) };
    webview.html = webviewHtml(webview, extensionUri, { name: 'overview', data: {} });
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private get openSession(): AccountSession | undefined {
    const { state } = this.options.active;
    return state.kind === 'open' ? state.session : undefined;
  }

  private createRpcServer(webview: vscode.Webview): RpcServer<OverviewMethods, OverviewEvents> {
    const { log, display } = this.options;
    return new RpcServer<OverviewMethods, OverviewEvents>({
      port: {
        postMessage: (message) => void webview.postMessage(message),
        onMessage: (listener) => webview.onDidReceiveMessage(listener),
      },
      handlers: {
        'overview/open': { params: v.null(), run: this.describe },
        'overview/press': { params: overviewActionSchema, run: this.press },
      },
      toFailure: (error) => {
        log.failure('the account overview', error);
        return toRpcFailure(error, systemClock.now(), display.current);
      },
    });
  }

  private readonly describe = (): OverviewDocument => {
    const document = this.document();
    this.sent = JSON.stringify(document);
    return document;
  };

  private document(): OverviewDocument {
    const { active, display, risk } = this.options;
    const { states: reads } = this.reads;
    return overviewDocument({
      ...{ state: active.state, display: display.latest(), risk, reads },
      environmentOf: environmentOfProfile,
    });
  }

  private readonly press = (action: OverviewAction): null => {
    if (action === 'readFeeTiers' || action === 'readRecent') this.startRead(action);
    else this.options.run(commands[action]);
    return null;
  };

  private startRead(action: 'readFeeTiers' | 'readRecent'): void {
    const { session } = this;
    if (session)
      logRejection(this.options.log, 'reading for the overview', this.reads[action](session));
  }

  /** Posts only what changed. A hidden page is discarded, and asks again when it is shown. */
  private update(): void {
    if (this.openSession !== this.session) {
      this.session = this.openSession;
      this.reads.reset();
    }
    this.updateTitle();
    const document = this.document();
    const json = JSON.stringify(document);
    if (json === this.sent) return;
    this.sent = json;
    this.rpc.notify('overview/changed', document);
  }

  private updateTitle(): void {
    const { state } = this.options.active;
    const title = vscode.l10n.t('Overview');
    const owner = state.kind === 'open' ? ` · ${accountLabel(state.session.profile, 40)}` : '';
    if (this.panel.title !== title + owner) this.panel.title = title + owner;
  }
}
