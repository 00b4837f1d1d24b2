import * as vscode from 'vscode';
import type { ActiveState } from '../../account/activeAccount.ts';
import { environmentLabel, type Profile } from '../../account/profile.ts';
import type { Session } from '../../account/session.ts';
import { cleanText } from '../../base/cleanText.ts';
import { sign } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import { unknownValue } from '../../base/format.ts';
import type { RiskState } from '../riskState.ts';
import { environmentOf } from '../profiles/environmentOf.ts';
import { ageWords, quoted, sentenceFor, whose } from '../words.ts';
import {
  alarmOf,
  dangerOfAll,
  dangerWords,
  staleWords,
  standingOf,
  type Alarm,
  type Standing,
} from './standing.ts';
import {
  equityWords,
  privacyFields,
  problem,
  statusFields,
  unitOf,
  weightFields,
} from './statusFields.ts';

/** What the item says: its text, its words for a screen reader, its hover, and how loud. */
export type StatusWords = {
  readonly text: string;
  readonly spoken: string;
  readonly title: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly alarm: Alarm;
};

/** The item for a state of the active account; undefined when there is none to speak of. */
export function statusWords(
  state: ActiveState,
  display: Display,
  risk: Pick<RiskState, 'byDanger'>,
): StatusWords | undefined {
  switch (state.kind) {
    case 'closed':
      return undefined;
    case 'opening':
      return unopened('$(loading~spin)', state.name, [], 'none');
    case 'failed':
      return unopened('$(warning)', state.name, problem(state.error, display), 'warning');
    case 'open':
      return opened(state.session, display, risk);
    default:
      return state satisfies never;
  }
}

function unopened(
  icon: string,
  name: string,
  fields: StatusWords['fields'],
  alarm: Alarm,
): StatusWords {
  const title = `${quoted(name)} · ${environmentOf(name)}`;
  const spoken = [title, vscode.l10n.t('equity unknown'), ...fields.map(([, words]) => words)];
  const text = `${icon} ${environmentOf(name)} ${unknownValue}`;
  return { text, spoken: spoken.join(', '), title, fields, alarm };
}

function opened(
  session: Session,
  display: Display,
  risk: Pick<RiskState, 'byDanger'>,
): StatusWords {
  const { profile, ledger } = session;
  const standing = standingOf(session, risk);
  return {
    text: statusText(profile, standing, display),
    spoken: statusSpoken(profile, standing, display),
    title: whose(profile),
    fields: [
      ...privacyFields(display),
      ...statusFields(standing, display),
      ...weightFields(ledger.standing, display),
    ],
    alarm: alarmOf(standing),
  };
}

/** The text: environment, equity, upl with sign and arrow; danger, and the age of figures that are old. */
function statusText(profile: Profile, standing: Standing, display: Display): string {
  const { snapshot, failure, staleMs, unread } = standing;
  const start = `${iconOf(standing, display)} ${environmentLabel(profile)}`;
  if (!snapshot) return `${start} ${unknownValue}`;
  const { equity, upl } = snapshot.account;
  const unit = iconless(unitOf(snapshot));
  const direction = display.hides('upl') ? '' : arrow(upl);
  return [
    `${start} ${display.glance('equity', equity)}${unit} ${direction}${display.signedGlance('upl', upl)}`,
    ...dangerWords(standing, display),
    ...(unread === 0 ? [] : [vscode.l10n.t('{0} unreadable', display.count(unread))]),
    ...(staleMs === undefined ? [] : [vscode.l10n.t('stale, {0}', ageWords(staleMs, display))]),
    ...(failure === undefined ? [] : [display.timeOfDay(String(snapshot.asOf))]),
  ].join(' · ');
}

function iconOf(standing: Standing, display: Display): string {
  const alarm = alarmOf(standing);
  switch (alarm) {
    case 'error':
      return standing.critical > 0 ? '$(flame)' : '$(history)';
    case 'warning':
      return '$(warning)';
    case 'none':
      return display.settings.hidesMoney ? '$(eye-closed)' : '$(graph-line)';
    default:
      return alarm satisfies never;
  }
}

/** What a screen reader says: the same with full values. */
function statusSpoken(profile: Profile, standing: Standing, display: Display): string {
  const { snapshot, failure } = standing;
  const words = [cleanText(profile.name), environmentLabel(profile)];
  if (snapshot)
    words.push(
      `equity ${equityWords(snapshot, display)}`,
      `upl ${display.full('upl', snapshot.account.upl)}`,
    );
  else words.push(vscode.l10n.t('equity unknown'));
  words.push(...dangerSpoken(standing, display), ...staleWords(standing, display));
  if (failure !== undefined) words.push(sentenceFor(failure, display));
  return words.join(', ');
}

/** Nothing where every position is calm, and could be read. */
function dangerSpoken(standing: Standing, display: Display): string[] {
  if (standing.unread === 0) return dangerWords(standing, display);
  return [vscode.l10n.t('positions in danger: {0}', dangerOfAll(standing, display))];
}

function arrow(upl: string): string {
  const direction = sign(upl);
  switch (direction) {
    case 1:
      return '$(arrow-up)';
    case -1:
      return '$(arrow-down)';
    case 0:
      return '';
    default:
      return direction satisfies never;
  }
}

/** The status bar draws `$(name)` as an icon: a name or a server's text must not. */
function iconless(text: string): string {
  return text.replaceAll('$(', '(');
}
