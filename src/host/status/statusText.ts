import * as vscode from 'vscode';
import type { AccountSession } from '../../account/session/accountSession.ts';
import type { ActiveState } from '../../account/session/activeAccount.ts';
import { environmentLabel } from '../../account/session/profile.ts';
import { cleanText } from '../../base/cleanText.ts';
import { sign, unknownText } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import { environmentOfProfile } from '../profiles/profileSettings.ts';
import type { RiskAssessment } from '../settings/riskAssessment.ts';
import { errorText } from '../text/failureText.ts';
import { accountLabel, ageText, untrustedText, withoutIcons } from '../text/messageText.ts';
import {
  accountStatus,
  equityText,
  equityUnit,
  privacyFields,
  problemField,
  rateLimitFields,
  riskCounts,
  riskSummary,
  staleText,
  statusFields,
  type AccountStatus,
  type StatusLevel,
} from './statusFields.ts';

/** What the status item shows: its text, screen reader label, hover and background. */
export type StatusContent = {
  readonly text: string;
  readonly screenReaderLabel: string;
  readonly title: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly level: StatusLevel;
};

/** The item for a state of the active account; undefined if no account is open. */
export function statusContent(
  state: ActiveState,
  display: Display,
  risk: Pick<RiskAssessment, 'rankPositions'>,
): StatusContent | undefined {
  switch (state.kind) {
    case 'closed':
      return undefined;
    case 'opening':
      return contentWithoutAccount('$(loading~spin)', state.name, [], 'none');
    case 'failed': {
      const problem = problemField(state.error, display);
      return contentWithoutAccount('$(warning)', state.name, problem, 'warning');
    }
    case 'open': {
      const status = accountStatus(state.session, risk);
      return {
        text: statusText(status, display),
        level: status.level,
        ...statusDetails(state.session, status, display),
      };
    }
  }
}

function contentWithoutAccount(
  icon: string,
  name: string,
  fields: StatusContent['fields'],
  level: StatusLevel,
): StatusContent {
  const environment = environmentOfProfile(name);
  const title = `${untrustedText(name)} · ${environment}`;
  const label = [title, vscode.l10n.t('equity unknown'), ...fields.map(([, value]) => value)];
  const text = `${icon} ${environment} ${unknownText}`;
  return { text, screenReaderLabel: label.join(', '), title, fields, level };
}

function statusDetails({ rateLimiter }: AccountSession, status: AccountStatus, display: Display) {
  return {
    screenReaderLabel: statusLabel(status, display),
    title: accountLabel(status.profile),
    fields: [
      ...privacyFields(display),
      ...statusFields(status, display),
      ...rateLimitFields(rateLimiter.usage, display),
    ],
  };
}

const directionIcons = { '-1': '$(arrow-down)', 0: '', 1: '$(arrow-up)' } as const;

/** Environment, equity, upl with sign and arrow; positions close to liquidation and the age of old figures. */
function statusText(status: AccountStatus, display: Display): string {
  const { profile, snapshot, failure, staleAgeMs, critical, level } = status;
  const icon = {
    error: critical > 0 ? '$(flame)' : '$(history)',
    warning: '$(warning)',
    none: display.settings.hidesMoney ? '$(eye-closed)' : '$(graph-line)',
  }[level];
  const start = `${icon} ${environmentLabel(profile)}`;
  if (!snapshot) return `${start} ${unknownText}`;
  const { equity, upl, positions } = snapshot.account;
  const unit = withoutIcons(equityUnit(snapshot));
  const direction = upl === null || display.hides('upl') ? '' : directionIcons[sign(upl)];
  return [
    `${start} ${display.short('equity', equity)}${unit} ${direction}${display.signedShort('upl', upl)}`,
    ...riskCounts(status, display),
    ...(positions ? unreadCount(status, display) : [vscode.l10n.t('positions unknown')]),
    ...(staleAgeMs === undefined
      ? []
      : [vscode.l10n.t('stale, {0}', ageText(staleAgeMs, display))]),
    ...(failure === undefined ? [] : [display.timeOfDay(String(snapshot.asOf))]),
  ].join(' · ');
}

function unreadCount({ unread }: AccountStatus, display: Display): string[] {
  return unread === 0 ? [] : [vscode.l10n.t('{0} unreadable', display.count(unread))];
}

/** The same for a screen reader, with full values. */
function statusLabel(status: AccountStatus, display: Display): string {
  const { profile, snapshot, failure, unread } = status;
  const equity = snapshot
    ? [
        `equity ${equityText(snapshot, display)}`,
        `upl ${display.full('upl', snapshot.account.upl)}`,
      ]
    : [vscode.l10n.t('equity unknown')];
  const risks =
    unread === 0
      ? riskCounts(status, display)
      : [vscode.l10n.t('close to liquidation: {0}', riskSummary(status, display))];
  return [
    cleanText(profile.name),
    environmentLabel(profile),
    ...equity,
    ...risks,
    ...staleText(status, display),
    ...(failure === undefined ? [] : [errorText(failure, display)]),
  ].join(', ');
}
