import * as v from 'valibot';
import * as vscode from 'vscode';
import { environmentLabel } from '../../account/session/profile.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { systemClock } from '../../base/time.ts';
import {
  overrideSchema,
  type ConventionKey,
  type ReportDocument,
  type ReportEvents,
  type ReportMethods,
} from '../../protocol/connectionReport.ts';
import type { RpcServer } from '../../protocol/rpcServer.ts';
import { commands } from '../contributions.ts';
import { environmentIcon } from '../panels/panelTab.ts';
import { serveDocumentPage, type DocumentPageOptions } from '../panels/webviewPage.ts';
import { untrustedText } from '../text/messageText.ts';
import { overrideConvention } from './conventionOverride.ts';
import type { ReportedConnection } from './reportChecklist.ts';
import { reportDocument } from './reportDocument.ts';
import { reportMarkdown } from './reportMarkdown.ts';

/** The host's end of the page of one connection report. */
export class ReportPanel implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly options: DocumentPageOptions;
  /** What is known now. */
  private readonly read: () => ReportedConnection;
  readonly panel: vscode.WebviewPanel;
  private readonly rpc: RpcServer<ReportMethods, ReportEvents>;

  constructor(
    panel: vscode.WebviewPanel,
    read: () => ReportedConnection,
    options: DocumentPageOptions,
  ) {
    this.panel = panel;
    this.read = read;
    this.options = options;
    this.rpc = this.disposables.add(this.serve());
    this.disposables.add(panel);
    this.disposables.add(options.display.onDidChange(() => this.redraw()));
    this.updateTitle();
  }

  redraw(): void {
    this.rpc.notify('report/changed', this.describe());
    this.updateTitle();
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private get profileName(): string {
    return this.read().profile.name;
  }

  private serve(): RpcServer<ReportMethods, ReportEvents> {
    const page = { name: 'report', data: {} } as const;
    const handlers = {
      'report/open': { params: v.null(), run: this.describe },
      'report/copy': { params: v.null(), run: this.copy },
      'report/test': { params: v.null(), run: this.test },
      'report/override': { params: overrideSchema, run: this.override },
    };
    return serveDocumentPage<ReportMethods, ReportEvents>(
      this.panel.webview,
      page,
      handlers,
      this.options,
    );
  }

  private updateTitle(): void {
    const { profile } = this.read();
    this.panel.title = reportTitle(profile.name);
    this.panel.iconPath = environmentIcon(this.options.extensionUri, environmentLabel(profile));
  }

  private readonly describe = (): ReportDocument =>
    reportDocument(this.read(), systemClock.now(), this.options.display.latest());

  private readonly copy = async (): Promise<void> => {
    await vscode.env.clipboard.writeText(reportMarkdown(this.describe()));
  };

  private readonly test = async (): Promise<void> => {
    await vscode.commands.executeCommand(commands.testConnection, this.profileName);
  };

  private readonly override = async (key: ConventionKey): Promise<void> => {
    const { profile, exists } = this.read();
    if (exists && profile.environment !== 'practice') await overrideConvention(profile.name, key);
  };
}

export function reportTitle(profileName: string): string {
  return vscode.l10n.t('Connection · {0}', untrustedText(profileName, 40));
}
