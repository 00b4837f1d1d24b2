import {
  recentCancelMs,
  type CancelPlan,
  type UnreadReason,
} from '../../account/cancelAll/cancelPlan.ts';
import { cleanText } from '../../base/cleanText.ts';
import type { Display } from '../../base/display.ts';
import { secondMs } from '../../base/time.ts';
import { t } from '../shared/translate.ts';
import { readFailureText } from '../text/failureText.ts';
import { lockedOrdersText } from '../text/lockedOrdersText.ts';
import { ageText, unreadablePartText } from '../text/messageText.ts';
import { outcomeLook } from './outcomeText.ts';

/** What a cancel-all would cancel, as far as the API says, and what else to know before. */
export function planText(
  plan: CancelPlan,
  earlier: CancelPlan | undefined,
  display: Display,
): string {
  const { unreadReason, figures } = plan;
  return [
    ...changedPlanText(plan, earlier),
    ...limitText(plan, display),
    ...recentCancelsText(plan, display),
    ...(unreadReason === undefined
      ? currentFiguresText(figures, display)
      : lastFiguresText(plan, unreadReason, display)),
    ...(figures?.badRecords ?? []).map((record) => unreadablePartText(record, display)),
    '',
    t('Reduce-only or other orders that lock no balance are cancelled too.'),
    ...(figures && unreadReason === undefined
      ? [
          t(
            'Read {0} ago. The receipt has every digit.',
            exactAgeText(plan.plannedAt - figures.asOf, display),
          ),
        ]
      : []),
  ].join('\n');
}

function changedPlanText(plan: CancelPlan, earlier: CancelPlan | undefined): string[] {
  if (!earlier) return [];
  const isSame = earlier.account.fingerprint === plan.account.fingerprint;
  const what = isSame
    ? t('Something changed after you confirmed. Nothing was sent; please confirm again.')
    : t('Another account was opened after you confirmed. Nothing was sent; please confirm again.');
  return [what, ''];
}

function limitText({ sendableAt, plannedAt }: CancelPlan, display: Display): string[] {
  if (sendableAt === undefined) return [];
  const text = t(
    'The exchange’s limit is used up. The request can be sent at {0} (in {1} s).',
    display.timeOfDay(sendableAt),
    display.count(Math.ceil((sendableAt - plannedAt) / 1000)),
  );
  return [text, ''];
}

/** Also those of other windows. */
function recentCancelsText({ recentCancels, plannedAt }: CancelPlan, display: Display): string[] {
  const [latest] = recentCancels;
  if (!latest) return [];
  const ago = display.count(Math.max(0, Math.round((plannedAt - latest.sentAt) / 1000)));
  const label = outcomeLook(latest).label();
  const text =
    recentCancels.length === 1
      ? t('A cancel-all of this account was sent {0} s ago: {1}.', ago, label)
      : t(
          '{0} cancel-alls of this account were sent in the last {1} s, the last one {2} s ago: {3}.',
          display.count(recentCancels.length),
          display.count(recentCancelMs / secondMs),
          ago,
          label,
        );
  return [text, ''];
}

function currentFiguresText(figures: CancelPlan['figures'], display: Display): string[] {
  if (!figures?.locked) return [t('It is unknown what open orders lock now.')];
  const { locked } = figures;
  return locked.length === 0
    ? [t('No open orders lock balance now.')]
    : [
        locked.length === 1
          ? t('Locked by open orders now, in 1 symbol:')
          : t('Locked by open orders now, in {0} symbols:', display.count(locked.length)),
        ...lockedLines(figures, display),
      ];
}

/** More lines would push the buttons out of a window. */
const maxSymbols = 12;

/** One line for each symbol, and what is locked of each asset, as the exchange adds it up. */
function lockedLines(
  { locked = [], lockedAssets }: NonNullable<CancelPlan['figures']>,
  display: Display,
): string[] {
  const lines = locked.slice(0, maxSymbols).map((one) => lockedOrdersText(one, display));
  const more = locked.length - lines.length;
  if (more > 0) lines.push(t('… and {0} more: the receipt has all.', display.count(more)));
  const totals = lockedAssets.map(
    (asset) => `${display.figure('locked', asset.locked)} ${cleanText(asset.name, 20)}`,
  );
  return totals.length === 0 ? lines : [...lines, t('Total locked: {0}', totals.join(', '))];
}

/** Why the account was not read, what was read last, and the question that remains. */
function lastFiguresText(
  { figures, plannedAt }: CancelPlan,
  unreadReason: UnreadReason,
  display: Display,
): string[] {
  const reason = t('The account cannot be read ({0}).', unreadReasonText(unreadReason, display));
  const anyway = t('Send cancel-all anyway?');
  if (!figures) return [[reason, t('Last figures: nothing was read yet.'), anyway].join(' ')];
  const time = display.timeOfDay(figures.asOf);
  const age = exactAgeText(plannedAt - figures.asOf, display);
  if (!figures.locked?.length) {
    const last = figures.locked
      ? t('Last figures: {0}, {1} old: nothing was locked.', time, age)
      : t('Last figures: {0}, {1} old: what was locked is unknown.', time, age);
    return [[reason, last, anyway].join(' ')];
  }
  return [
    `${reason} ${t('Last figures: {0}, {1} old:', time, age)}`,
    ...lockedLines(figures, display),
    anyway,
  ];
}

export function unreadReasonText(reason: UnreadReason, display: Display): string {
  if (reason === 'paused') return t('the exchange asked for a pause');
  if (reason === 'limitUsed') return t('the rate limit has no room for it');
  return readFailureText(reason, display);
}

/** Seconds matter before an emergency request: `70 s`, then `3 min`. */
function exactAgeText(ageMs: number, display: Display): string {
  const seconds = Math.floor(ageMs / 1000);
  const isShort = seconds >= 0 && seconds < 120;
  if (isShort) return t('{0} s', display.count(seconds));
  return ageText(seconds < 0 ? Infinity : ageMs, display);
}
