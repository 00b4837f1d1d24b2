import { l10n } from 'vscode';
import type { CancelPlan } from '../../account/cancelAll/plan.ts';
import type { Display } from '../../base/display.ts';
import { lockedWords } from '../lockedWords.ts';
import { inWords, quoted } from '../words.ts';
import { outcomeName } from './outcomeWords.ts';

/** What a cancel-all would go for as far as the interface tells, and what else there is to know before. */
export function planDetail(
  plan: CancelPlan,
  earlier: CancelPlan | undefined,
  display: Display,
): string {
  return [
    ...changeWords(plan, earlier),
    ...recentWords(plan, display),
    ...(plan.isFresh ? lockedNow(plan, display) : lockedBefore(plan, display)),
    ...plan.badRecords.map(({ problem }) =>
      l10n.t('A summary could not be read: {0}.', quoted(inWords(problem, display))),
    ),
    '',
    l10n.t(
      'The interface cannot list single open orders: orders that lock nothing are cancelled too.',
    ),
    l10n.t('As of {0}.', display.timeInBoth(String(plan.asOf))),
  ].join('\n');
}

function changeWords(plan: CancelPlan, earlier: CancelPlan | undefined): string[] {
  if (!earlier) return [];
  const isSame = earlier.account.fingerprint === plan.account.fingerprint;
  const what = isSame
    ? l10n.t('What you confirmed has changed since: nothing was sent, and this is a new question.')
    : l10n.t('Another account was opened since: nothing was sent, and this is a new question.');
  return [what, ''];
}

/** Also those of other windows. */
function recentWords({ recent, plannedAt }: CancelPlan, display: Display): string[] {
  const lines = recent.map((receipt) => {
    const agoS = Math.max(0, Math.round((plannedAt - receipt.sentAt) / 1000));
    return l10n.t(
      'A cancel-all of this account was sent {0} s ago: {1}.',
      display.count(agoS),
      outcomeName(receipt.outcome),
    );
  });
  return lines.length === 0 ? [] : [...lines, ''];
}

function lockedNow({ locked }: CancelPlan, display: Display): string[] {
  return locked.length === 0
    ? [l10n.t('Nothing is locked by open orders now.')]
    : [l10n.t('Locked by open orders now:'), ...locked.map((one) => lockedWords(one, display))];
}

/** In a pause, or where the limit has room for the cancel and little more, the account is not read anew. */
function lockedBefore({ locked, isPaused }: CancelPlan, display: Display): string[] {
  const why = isPaused
    ? l10n.t('The exchange wants a pause, so the account was not read anew.')
    : l10n.t(
        'The rate limit is used up but for what is kept to cancel, so the account was not read anew.',
      );
  return locked.length === 0
    ? [why, l10n.t('Nothing was locked by open orders when it was read last.')]
    : [
        why,
        l10n.t('Locked by open orders when it was read last:'),
        ...locked.map((one) => lockedWords(one, display)),
      ];
}
