import { l10n } from 'vscode';
import type { Display } from '../../base/display.ts';
import { clip, subtract } from '../../ledger/coverage/intervals.ts';
import type { Interval } from '../../ledger/ledger.ts';
import { partOfPeriodText } from './partOfPeriodText.ts';

/** Which part of a month is complete, up to now; null if none is. */
export function monthCoverageText(
  complete: readonly Interval[],
  month: Interval,
  now: number,
  display: Display,
): string | null {
  const { t } = l10n;
  const past = { from: month.from, to: Math.max(month.from, Math.min(month.to, now)) };
  const parts = clip(complete, past);
  const [first, ...others] = parts;
  if (!first) return null;
  const isWhole = month.to <= now && subtract([past], parts).length === 0;
  if (isWhole) return t('complete');
  if (others.length > 0) return t('{0} complete', partOfPeriodText(parts, past, display));
  const [from, to] = [first.from, first.to].map((time) => display.timeToSecond(String(time)));
  if (first.from === past.from) return t('complete to {0}', to ?? '');
  return first.to === past.to
    ? t('complete from {0}', from ?? '')
    : t('complete from {0} to {1}', from ?? '', to ?? '');
}

/** Whether rows of a month may still come; an empty text if not. */
export function notOverText({ to }: Interval, now: number): string {
  return to > now ? l10n.t('month not over yet') : '';
}
