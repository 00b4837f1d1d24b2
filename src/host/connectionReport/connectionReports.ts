import * as vscode from 'vscode';
import { environmentLabel, type Profile } from '../../account/session/profile.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import { systemClock } from '../../base/time.ts';
import type { AccountConnection } from '../profiles/accountConnection.ts';
import type { TestedConnection } from '../profiles/checkConnection.ts';
import { connectionTarget } from '../profiles/credentials.ts';
import { findProfile, profileEntries } from '../profiles/profileSettings.ts';
import { onDidChangeSetting } from '../settings/settings.ts';
import { commands } from '../shared/contributions.ts';
import { untrustedText } from '../text/messageText.ts';
import type { DocumentSource, LiveDocument } from '../webview/documentPanel.ts';
import type { DisplayState } from '../settings/displayState.ts';
import type { Documents, OpenDocuments } from '../webview/documents.ts';
import { overrideConvention } from './reportConventions.ts';
import { reportDocument } from './reportDocument.ts';

type ConnectionReportsOptions = {
  readonly connection: AccountConnection;
  readonly display: DisplayState;
};

/** What is known of a profile's connection. */
type Report = { profile: Profile; check?: TestedConnection };

/** The connection reports of this window, one for each profile. A report follows its profile when that is renamed. */
export class ConnectionReports implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly options: ConnectionReportsOptions;
  private readonly byName = new Map<string, Report>();
  private readonly didChange = this.disposables.add(new Emitter<void>());
  private readonly open: OpenDocuments;

  constructor(documents: Documents, options: ConnectionReportsOptions) {
    this.options = options;
    this.disposables.add(onDidChangeSetting(['marginDesk.profiles'], () => this.didChange.fire()));
    this.open = documents.add({
      name: 'report',
      source: (name) => this.sourceOf(name),
      restored: (name, tabTitle) => this.restored(name, tabTitle),
    });
  }

  /** Opens the report of a profile, or reveals its panel. Sends nothing. */
  show(profile: Profile): void {
    this.reportOf(profile);
    this.open.show(profile.name);
  }

  /** Keeps the result of a test, until the window is closed. */
  record(profile: Profile, check: TestedConnection): void {
    this.reportOf(profile).check = check;
    this.didChange.fire();
  }

  /** A renamed profile keeps its report. */
  rename(from: string, to: string): void {
    const report = this.byName.get(from);
    if (!report) return;
    this.byName.delete(from);
    report.profile = { ...report.profile, name: to };
    this.byName.set(to, report);
    this.open.rename(from, to);
    this.didChange.fire();
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private reportOf(profile: Profile): Report {
    const report = this.byName.get(profile.name) ?? { profile };
    report.profile = profile;
    this.byName.set(profile.name, report);
    return report;
  }

  /**
   * A page that was hidden during a rename saved the old name: its tab has the new one. A report of a profile
   * that is gone leaves no empty panel behind.
   */
  private async restored(saved: string, tabTitle: string): Promise<string | undefined> {
    const titled = profileEntries().find(({ name }) => reportTitle(name) === tabTitle);
    const details = this.options.connection.resolveConnection(titled?.name ?? saved);
    const target = await connectionTarget(details).catch(() => undefined);
    if (target) this.reportOf(target.profile);
    return target?.profile.name;
  }

  /** The report stays the same object when its profile is renamed. */
  private sourceOf(name: string): DocumentSource {
    const report = this.byName.get(name);
    if (!report) throw new Error('The profile has no report.');
    return {
      tab: () => ({
        title: reportTitle(report.profile.name),
        environment: environmentLabel(report.profile),
      }),
      document: () => this.documentOf(report),
      changes: [this.didChange.event],
    };
  }

  private documentOf(report: Report): LiveDocument {
    const { connection, display } = this.options;
    const entry = findProfile(report.profile.name);
    if (entry?.kind === 'good') report.profile = entry.profile;
    const { profile, check } = report;
    const { name, environment } = profile;
    const reported = {
      profile,
      conventions: connection.conventionsOf(profile),
      check: check && isSameConnection(check.profile, profile) ? check : undefined,
      exists: environment === 'practice' || entry !== undefined,
    };
    return reportDocument(reported, systemClock.now(), display.latest(), {
      test: async () => void (await vscode.commands.executeCommand(commands.testConnection, name)),
      override: (convention) => overrideConvention(name, convention),
    });
  }
}

/** A test of another address or with another authentication says nothing about a profile. */
function isSameConnection(one: Profile, other: Profile): boolean {
  const connectionOf = ({ baseUrl, auth, sign }: Profile) => JSON.stringify([baseUrl, auth, sign]);
  return connectionOf(one) === connectionOf(other);
}

function reportTitle(profileName: string): string {
  return vscode.l10n.t('Connection · {0}', untrustedText(profileName, 40));
}
