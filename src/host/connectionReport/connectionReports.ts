import * as v from 'valibot';
import * as vscode from 'vscode';
import { type Profile, environmentLabel } from '../../account/session/profile.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import {
  reportStateSchema,
  overrideSchema,
  type ConventionKey,
  type ReportDocument,
  type ReportEvents,
  type ReportMethods,
} from '../../protocol/connectionReport.ts';
import { panels, commands } from '../shared/contributions.ts';
import {
  createPanel,
  type DocumentPageOptions,
  serveDocumentPage,
} from '../webview/webviewPage.ts';
import type { AccountConnection } from '../profiles/accountConnection.ts';
import type { TestedConnection } from '../profiles/checkConnection.ts';
import { connectionTarget } from '../profiles/credentials.ts';
import { findProfile, profileEntries } from '../profiles/profileSettings.ts';
import { onDidChangeSetting } from '../settings/settings.ts';
import type { ReportedConnection } from './reportChecklist.ts';
import { systemClock } from '../../base/time.ts';
import type { RpcServer } from '../../protocol/rpcServer.ts';
import { environmentIcon } from '../webview/tab.ts';
import { untrustedText } from '../text/messageText.ts';
import { overrideConvention } from './conventionOverride.ts';
import { reportDocument } from './reportDocument.ts';
import { reportMarkdown } from './reportMarkdown.ts';

type ConnectionReportsOptions = DocumentPageOptions & {
  readonly connection: AccountConnection;
};

/** What is known of a profile's connection, and its panel while that is open. */
type Report = { profile: Profile; check?: TestedConnection; panel?: ReportPanel };

/** The connection reports of this window, one for each profile. A report follows its profile when that is renamed. */
export class ConnectionReports implements Disposable, vscode.WebviewPanelSerializer {
  private readonly disposables = new DisposableStore();
  private readonly options: ConnectionReportsOptions;
  private readonly byName = new Map<string, Report>();

  constructor(options: ConnectionReportsOptions) {
    this.options = options;
    this.disposables.add(onDidChangeSetting(['marginDesk.profiles'], () => this.redrawAll()));
  }

  /** Opens the report of a profile, or reveals its panel. Sends nothing. */
  show(profile: Profile): void {
    const report = this.reportOf(profile);
    if (report.panel) report.panel.panel.reveal();
    else this.adopt(createPanel(panels.report), report);
  }

  /** Keeps the result of a test, until the window is closed. */
  record(profile: Profile, check: TestedConnection): void {
    const report = this.reportOf(profile);
    report.check = check;
    report.panel?.redraw();
  }

  /** A renamed profile keeps its report. */
  rename(from: string, to: string): void {
    const report = this.byName.get(from);
    if (!report) return;
    this.byName.delete(from);
    this.byName.get(to)?.panel?.dispose();
    report.profile = { ...report.profile, name: to };
    this.byName.set(to, report);
    report.panel?.redraw();
  }

  /**
   * After a reload. A page that was hidden during a rename saved the old name: its tab has the new one.
   * A report of a profile that is gone leaves no empty panel behind.
   */
  async deserializeWebviewPanel(panel: vscode.WebviewPanel, saved: unknown): Promise<void> {
    const titled = profileEntries().find(({ name }) => reportTitle(name) === panel.title);
    const state = v.safeParse(reportStateSchema, saved);
    const name = titled?.name ?? (state.success ? state.output.profile : undefined);
    const profile = name === undefined ? undefined : await this.profileNamed(name);
    if (!profile || this.byName.get(profile.name)?.panel) panel.dispose();
    else this.adopt(panel, this.reportOf(profile));
  }

  dispose(): void {
    this.disposables.dispose();
    for (const { panel } of this.byName.values()) panel?.dispose();
  }

  private redrawAll(): void {
    for (const { panel } of this.byName.values()) panel?.redraw();
  }

  private reportOf(profile: Profile): Report {
    const report = this.byName.get(profile.name) ?? { profile };
    report.profile = profile;
    this.byName.set(profile.name, report);
    return report;
  }

  private async profileNamed(name: string): Promise<Profile | undefined> {
    const target = connectionTarget(this.options.connection.resolveConnection(name));
    return (await target.catch(() => undefined))?.profile;
  }

  private adopt(panel: vscode.WebviewPanel, report: Report): void {
    const own = new ReportPanel(panel, () => this.read(report), this.options);
    report.panel = own;
    panel.onDidDispose(() => {
      delete report.panel;
      own.dispose();
    });
  }

  private read(report: Report): ReportedConnection {
    const entry = findProfile(report.profile.name);
    if (entry?.kind === 'good') report.profile = entry.profile;
    const { profile, check } = report;
    return {
      profile,
      conventions: this.options.connection.conventionsOf(profile),
      check: check && isSameConnection(check.profile, profile) ? check : undefined,
      exists: profile.environment === 'practice' || entry !== undefined,
    };
  }
}

/** A test of another address or with another authentication says nothing about a profile. */
function isSameConnection(one: Profile, other: Profile): boolean {
  const connectionOf = ({ baseUrl, auth, sign }: Profile) => JSON.stringify([baseUrl, auth, sign]);
  return connectionOf(one) === connectionOf(other);
}

/** The host's end of the page of one connection report. */
class ReportPanel implements Disposable {
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

  private serve(): RpcServer<ReportMethods, ReportEvents> {
    const page = { name: 'report', data: {} } as const;
    const handlers = {
      'report/open': { params: v.null(), run: this.describe },
      'report/copy': { params: v.null(), run: this.copy },
      'report/test': { params: v.null(), run: this.test },
      'report/override': { params: overrideSchema, run: this.override },
    };
    return serveDocumentPage<ReportMethods, ReportEvents>(this.panel, page, handlers, this.options);
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
    await vscode.commands.executeCommand(commands.testConnection, this.read().profile.name);
  };

  private readonly override = async (key: ConventionKey): Promise<void> => {
    const { profile, exists } = this.read();
    if (exists && profile.environment !== 'practice') await overrideConvention(profile.name, key);
  };
}

function reportTitle(profileName: string): string {
  return vscode.l10n.t('Connection · {0}', untrustedText(profileName, 40));
}
