import { l10n } from 'vscode';
import { originOf, type Profile } from '../../account/session/profile.ts';
import { cleanText } from '../../base/cleanText.ts';
import type { Display } from '../../base/display.ts';
import type { ConventionName } from '../../exchange/conventions/apiConventions.ts';
import type { Block } from '../../protocol/document.ts';
import { maxTestWeight } from '../profiles/checkConnection.ts';
import { pageAccount } from '../text/messageText.ts';
import type { Live, LiveDocument } from '../webview/documentPanel.ts';
import { copyMarkdown } from '../webview/markdown.ts';
import { reportChecklist, type ReportedConnection } from './reportChecklist.ts';
import { conventionRow } from './reportConventions.ts';

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
  const { t } = l10n;
  const weight = display.count(maxTestWeight);
  const document: LiveDocument = {
    title: t('Connection report'),
    key: profile.name,
    account: pageAccount(profile, originOf(profile)),
    time: { text: t('As of {0}.', display.timeToSecond(String(now))) },
    notes: exists ? [] : [t('This profile was renamed or removed in settings.json.')],
    buttons: [
      {
        action: 'test',
        label: t('Test Connection (up to {0} API weight)', weight),
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
    display: display.settings,
  };
  return document;
}

function conventionNote({ environment }: Profile): string {
  const { t } = l10n;
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
  const { t } = l10n;
  const isPractice = profile.environment === 'practice';
  const row = { isPractice, override: exists && !isPractice ? override : undefined };
  const labels = [t('Convention'), t('Value'), t('Proven or default'), t('Evidence')];
  return {
    kind: 'table',
    isStacked: true,
    title: t('API conventions'),
    notes: [],
    columns: [...labels, t('Override')].map((label) => ({ label, isNumeric: false })),
    rows: conventions.resolved.map((one) => conventionRow(one, display, row)),
  };
}

function details(
  { profile, conventions }: ReportedConnection,
  display: Display,
): { label: string; texts: string[] }[] {
  const { t } = l10n;
  const { information, probe } = conventions.learned;
  const isPractice = profile.environment === 'practice';
  const when = (epochMs: number): string => display.timeToSecond(String(epochMs));
  const detection = isPractice
    ? t('Not needed: every convention is known.')
    : probe
      ? t('Last run on {0}, used {1} API weight.', when(probe.at), display.count(probe.weight))
      : t('Not run yet. Run “Margin Desk: Test Connection”.');
  return [
    { label: t('Detection'), texts: [detection] },
    { label: t('Time zone'), texts: [timeZoneText(conventions)] },
    {
      label: t('Clock'),
      texts: [information ? clockText(information, when, display) : t('Not known yet.')],
    },
  ];
}

function timeZoneText({ timezone, isZoneKnown }: ReportedConnection['conventions']): string {
  if (timezone === undefined) return l10n.t('Not known yet.');
  return isZoneKnown
    ? cleanText(timezone)
    : l10n.t(
        'The exchange uses the unknown time zone “{0}”: local dates are written in UTC.',
        cleanText(timezone),
      );
}

function clockText(
  { aheadMs, readAt }: { readonly aheadMs: number | null; readonly readAt: number },
  when: (epochMs: number) => string,
  display: Display,
): string {
  if (aheadMs === null) return l10n.t('The time of the exchange is unknown.');
  const seconds = display.full('seconds', (aheadMs / 1000).toFixed(1));
  return l10n.t('The clock of the exchange was {0} s ahead on {1}.', seconds, when(readAt));
}
