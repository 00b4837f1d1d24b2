import { l10n } from 'vscode';
import type { Display } from '../../base/display.ts';
import { dayMs } from '../../base/time.ts';
import type { EquityAnalysis } from '../../ledger/analysis/analysis.ts';
import { subtract } from '../../ledger/coverage/intervals.ts';
import { partOfPeriodText } from '../text/partOfPeriodText.ts';

type Sampled = {
  /** `Samples cover 6 minutes of 30 days`. */
  readonly text: string;
  /** Whether they cover a day, or half of a period that is shorter than two. */
  readonly isEnough: boolean;
};

/** How much of the period up to now lies between samples; null without any. */
export function sampledPart(
  { times, gaps, period, coverage }: EquityAnalysis,
  display: Display,
): Sampled | null {
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined) return null;
  const looked = [...coverage.gaps, ...coverage.complete].map(({ to }) => to);
  const whole = { from: period.from, to: Math.min(period.to, Math.max(last, ...looked)) };
  const parts = subtract([{ from: first, to: last }], gaps);
  const sampledMs = parts.reduce((sum, { from, to }) => sum + to - from, 0);
  return {
    text: l10n.t('Samples cover {0}', partOfPeriodText(parts, whole, display)),
    isEnough: sampledMs >= Math.min(dayMs, (whole.to - whole.from) / 2),
  };
}
