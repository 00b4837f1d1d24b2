import * as vscode from 'vscode';
import { maxTestRequests } from '../../account/session/connectionCheck.ts';
import { environmentLabel, type Profile } from '../../account/session/profile.ts';
import { cleanText } from '../../base/cleanText.ts';
import type { Display } from '../../base/display.ts';
import { DisposableOwner } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import { systemClock } from '../../base/time.ts';
import type { ConventionName } from '../../exchange/history/apiConventions.ts';
import type { Block } from '../../protocol/document.ts';
import type { FeatureContext } from '../feature/context.ts';
import type { AccountConnection } from '../profiles/accountConnection.ts';
import { connectionTarget, type TestedConnection } from '../profiles/credentials.ts';
import { findProfile, profileEntries } from '../profiles/profileSettings.ts';
import type { DisplayState } from '../settings/displayState.ts';
import { onDidChangeSetting } from '../settings/settings.ts';
import { commands } from '../shared/contributions.ts';
import { untrustedText } from '../text/messageText.ts';
import { requestsText } from '../text/progressText.ts';
import type { DocumentSource, LiveDocument, Live } from '../webview/documentPanel.ts';
import type { OpenDocuments } from '../webview/documents.ts';
import { emptyDocument, tableColumns } from '../webview/documentParts.ts';
import { copyMarkdown } from '../webview/markdown.ts';
import { reportChecklist, type ReportedConnection } from './reportChecklist.ts';
import { overrideConvention, conventionRow } from './reportConventions.ts';
import { t } from '../shared/translate.ts';

type Report = { profile: Profile; check?: TestedConnection };

export function registerReports(
  context: FeatureContext,
  connection: AccountConnection,
): ConnectionReports {
  return context.add(new ConnectionReports(context, connection));
}

/** The connection reports of this window, one for each profile. A report follows its profile when that is renamed. */
class ConnectionReports extends DisposableOwner {
  private readonly display: DisplayState;
  private readonly connection: AccountConnection;
  private readonly byName = new Map<string, Report>();
  private readonly didChange = this.disposables.add(new Emitter<void>());
  private readonly open: OpenDocuments;

  constructor({ documents, display }: FeatureContext, connection: AccountConnection) {
    super();
    this.display = display;
    this.connection = connection;
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

  rename(from: string, to: string): void {
    const report = this.byName.get(from);
    if (!report) return;
    this.byName.delete(from);
    report.profile = { ...report.profile, name: to };
    this.byName.set(to, report);
    this.open.rename(from, to);
    this.didChange.fire();
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
    const details = this.connection.resolveConnection(titled?.name ?? saved);
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
    const { connection, display } = this;
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
  return t('Connection · {0}', untrustedText(profileName, 40));
}

/** What the buttons of a report do. */
type ReportActions = {
  readonly test: () => Promise<void>;
  readonly override: (name: ConventionName) => Promise<void>;
};

/**
 * Everything that is known about the connection to an exchange and about its API: each convention with
 * its evidence, the limits, the clock and the cost of the detection. Contains no credentials. `now` is
 * in epoch milliseconds.
 */
export function reportDocument(
  connection: ReportedConnection,
  now: number,
  display: Display,
  actions: ReportActions,
): LiveDocument {
  const { profile, exists } = connection;
  const document: LiveDocument = {
    ...emptyDocument(t('Connection report'), display, profile),
    key: profile.name,
    time: { text: t('As of {0}.', display.timeToSecond(now)) },
    notes: exists ? [] : [t('This profile was renamed or removed in settings.json.')],
    buttons: [
      {
        action: 'test',
        label: t('Test Connection (at most {0})', requestsText(maxTestRequests, display)),
        run: actions.test,
      },
      { action: 'copy', label: t('Copy as Markdown'), run: () => copyMarkdown(document) },
    ],
    sections: [
      {
        title: t('Checklist'),
        notes: [],
        blocks: [{ kind: 'checklist', items: reportChecklist(connection, display) }],
      },
      {
        title: t('API conventions'),
        notes: [conventionNote(profile)],
        blocks: [conventionTable(connection, display, actions)],
      },
      {
        title: t('Details'),
        notes: [],
        blocks: [{ kind: 'details', items: details(connection, display) }],
      },
    ],
  };
  return document;
}

function conventionNote({ environment }: Profile): string {
  return environment === 'practice'
    ? t('The practice exchange has no settings.')
    : t(
        'An override is written to this profile in settings.json, under dialect. A value that is set is used as it is and not tested.',
      );
}

function conventionTable(
  { profile, conventions, exists }: ReportedConnection,
  display: Display,
  { override }: ReportActions,
): Live<Block> {
  const isPractice = profile.environment === 'practice';
  const set = exists && !isPractice ? override : undefined;
  const labels = [
    t('Convention'),
    t('Value'),
    t('Proven or default'),
    t('Evidence'),
    t('Override'),
  ];
  return {
    kind: 'table',
    isStacked: true,
    title: t('API conventions'),
    notes: [],
    columns: tableColumns(labels),
    rows: conventions.resolved.map((one) => conventionRow(one, display, isPractice, set)),
  };
}

function details(
  { profile, conventions }: ReportedConnection,
  display: Display,
): { label: string; texts: string[] }[] {
  const { probe } = conventions.learned;
  const isPractice = profile.environment === 'practice';
  const detection = isPractice
    ? t('Not needed: every convention is known.')
    : probe
      ? t(
          'Last run on {0}, used {1} API weight.',
          display.timeToSecond(probe.at),
          display.count(probe.weight),
        )
      : t('Not run yet. Run “Margin Desk: Test Connection”.');
  return [
    { label: t('Detection'), texts: [detection] },
    { label: t('Time zone'), texts: [timeZoneText(conventions)] },
  ];
}

function timeZoneText({ timezone, isZoneKnown }: ReportedConnection['conventions']): string {
  if (timezone === undefined) return t('Not known yet.');
  return isZoneKnown
    ? cleanText(timezone)
    : t(
        'The exchange uses the unknown time zone “{0}”: local dates are written in UTC.',
        cleanText(timezone),
      );
}
