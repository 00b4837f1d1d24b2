import * as vscode from 'vscode';
import type { CancelAnswer, CancelOutcome, CancelPlan } from '../../account/cancelAll.ts';
import { environmentLabel, type Profile } from '../../account/profile.ts';
import type { Display } from '../../base/display.ts';
import type { LockedOrders } from '../../exchange/records.ts';
import { lockedWords } from '../lockedWords.ts';
import { quoted, sentenceFor } from '../words.ts';

/** The question before a cancel-all: whose orders, and what they lock as far as the interface tells. */
export function planMessage(
  profile: Profile,
  plan: CancelPlan,
  display: Display,
): { readonly message: string; readonly detail: string } {
  const locked = plan.isFresh ? lockedNow(plan, display) : lockedBefore(plan, display);
  return {
    message: vscode.l10n.t(
      'Cancel every open order of {0} ({1})?',
      quoted(profile.name),
      environmentLabel(profile),
    ),
    detail: [
      ...locked,
      ...plan.badRecords.map(({ problem }) =>
        vscode.l10n.t('A summary could not be read: {0}.', quoted(problem)),
      ),
      '',
      vscode.l10n.t(
        'The interface cannot list single open orders: orders that lock nothing are cancelled too.',
      ),
      vscode.l10n.t('As of {0}.', display.timeInBoth(String(plan.asOf))),
    ].join('\n'),
  };
}

function lockedNow({ locked }: CancelPlan, display: Display): string[] {
  return locked.length === 0
    ? [vscode.l10n.t('Nothing is locked by open orders now.')]
    : [
        vscode.l10n.t('Locked by open orders now:'),
        ...locked.map((one) => lockedWords(one, display)),
      ];
}

/** In a pause that the exchange asked for the account is not read anew: the cancel may pass, and its read-back. */
function lockedBefore({ locked }: CancelPlan, display: Display): string[] {
  const pause = vscode.l10n.t('The exchange wants a pause, so the account was not read anew.');
  return locked.length === 0
    ? [pause, vscode.l10n.t('Nothing was locked by open orders when it was read last.')]
    : [
        pause,
        vscode.l10n.t('Locked by open orders when it was read last:'),
        ...locked.map((one) => lockedWords(one, display)),
      ];
}

type Severity = 'information' | 'warning' | 'error';

/** What became of a cancel-all, in words; loud where orders may still stand. */
export function outcomeMessage(
  profile: Profile,
  outcome: CancelOutcome,
  display: Display,
): { readonly severity: Severity; readonly text: string } {
  const { severity, text } = wordsFor(outcome, display);
  return { severity, text: `${quoted(profile.name)} (${environmentLabel(profile)}): ${text}` };
}

function wordsFor(outcome: CancelOutcome, display: Display): { severity: Severity; text: string } {
  switch (outcome.kind) {
    case 'notSent':
      return {
        severity: 'error',
        text: vscode.l10n.t('Not sent, no order was cancelled. {0}', sentenceFor(outcome.error)),
      };
    case 'refused':
      return {
        severity: 'error',
        text: vscode.l10n.t('Refused, no order was cancelled. {0}', sentenceFor(outcome.error)),
      };
    case 'done':
      return {
        severity: 'information',
        text: vscode.l10n.t('{0} Nothing is locked now.', answerWords(outcome)),
      };
    case 'unverified':
      return {
        severity: 'warning',
        text: vscode.l10n.t(
          '{0} The account could not be read back: refresh to see what is still locked.',
          answerWords(outcome),
        ),
      };
    case 'partly':
      return {
        severity: 'warning',
        text: vscode.l10n.t(
          '{0} Still locked (left over or placed since, the interface does not tell): {1}.',
          answerWords(outcome),
          joined(outcome.locked, display),
        ),
      };
    case 'unknown':
      return unknownWords(outcome, display);
    default:
      return outcome satisfies never;
  }
}

function unknownWords(
  { error, locked }: Extract<CancelOutcome, { kind: 'unknown' }>,
  display: Display,
): {
  severity: Severity;
  text: string;
} {
  const unknown = vscode.l10n.t(
    'Unknown whether orders were cancelled; it was not sent again. {0}',
    sentenceFor(error),
  );
  if (locked?.length === 0)
    return {
      severity: 'warning',
      text: vscode.l10n.t('{0} Nothing is locked now (cancelled or executed).', unknown),
    };
  return {
    severity: 'error',
    text: locked
      ? vscode.l10n.t('{0} Still locked: {1}.', unknown, joined(locked, display))
      : vscode.l10n.t('{0} The account could not be read back either.', unknown),
  };
}

function answerWords({ canceled, badRecords }: CancelAnswer): string {
  const done = canceled.filter(({ status }) => status === 'CANCELED').length;
  const words = [
    done === 1 ? vscode.l10n.t('1 order cancelled.') : vscode.l10n.t('{0} orders cancelled.', done),
  ];
  const others = canceled.filter(({ status }) => status !== 'CANCELED');
  if (others.length > 0)
    words.push(
      vscode.l10n.t(
        '{0} came back with another status: {1}.',
        others.length,
        quoted([...new Set(others.map(({ status }) => status))].join(', ')),
      ),
    );
  if (badRecords.length > 0)
    words.push(vscode.l10n.t('{0} records of the answer could not be read.', badRecords.length));
  return words.join(' ');
}

function joined(locked: readonly LockedOrders[], display: Display): string {
  return quoted(locked.map((one) => lockedWords(one, display)).join('; '), 1000);
}
