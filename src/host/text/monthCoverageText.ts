import { l10n } from 'vscode';
import type { Display } from '../../base/display.ts';
import { clip, subtract } from '../../ledger/coverage/intervals.ts';
import type { Interval } from '../../ledger/ledger.ts';
import { partOfPeriodText } from './partOfPeriodText.ts';

/** Which part of a month is complete, or `otherwise` if none is; and whether rows of it may still come. */
export function monthCoverageText(
  complete: readonly Interval[],
  month: Interval,
  now: number,
  display: Display,
  otherwise: string,
): string {
  const isOver = month.to <= now;
  const past = isOver ? month : { from: month.from, to: Math.max(month.from, now) };
  const texts = [
    completeText(clip(complete, past), past, isOver, display) ?? otherwise,
    isOver ? '' : l10n.t('month not over yet'),
  ];
  return texts.filter((text) => text !== '').join(' · ');
}

function completeText(
  parts: readonly Interval[],
  past: Interval,
  isOver: boolean,
  display: Display,
): string | null {
  const { t } = l10n;
  const [first, ...others] = parts;
  if (!first) return null;
  if (isOver && subtract([past], parts).length === 0) return t('complete');
  if (others.length > 0) return t('{0} complete', partOfPeriodText(parts, past, display));
  const [from, to] = [first.from, first.to].map((time) => display.timeToSecond(String(time)));
  if (first.from === past.from) return t('complete to {0}', to ?? '');
  return first.to === past.to
    ? t('complete from {0}', from ?? '')
    : t('complete from {0} to {1}', from ?? '', to ?? '');
}
