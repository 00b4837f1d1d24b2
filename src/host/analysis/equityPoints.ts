import { l10n } from 'vscode';
import { cleanText } from '../../base/cleanText.ts';
import type { NumberText } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import { dayMs } from '../../base/time.ts';
import type { Drawdown, EquityAnalysis } from '../../ledger/analysis/analysis.ts';
import { subtract } from '../../ledger/coverage/intervals.ts';
import type { CoverageTexts } from '../../protocol/analysisMessages.ts';
import { fullFigure } from '../../protocol/cellRules.ts';
import { partOfPeriodText } from '../text/partOfPeriodText.ts';
import { minuteText, periodText } from './coverageLine.ts';

/** The samples with a point without a value in the middle of each gap: the line ends there. */
export function equityPoints(
  { times, gaps }: Pick<EquityAnalysis, 'times' | 'gaps'>,
  values: readonly (NumberText | null)[],
): { readonly times: readonly number[]; readonly values: readonly (NumberText | null)[] } {
  const middles = gaps.map(({ from, to }) => Math.floor((from + to) / 2));
  const drawn: { times: number[]; values: (NumberText | null)[] } = { times: [], values: [] };
  let gap = 0;
  for (const [index, time] of times.entries()) {
    for (let middle = middles[gap]; middle !== undefined && middle < time;) {
      drawn.times.push(middle);
      drawn.values.push(null);
      middle = middles[(gap += 1)];
    }
    drawn.times.push(time);
    drawn.values.push(values[index] ?? null);
  }
  return drawn;
}

/**
 * How much of the period up to now lies between samples, and whether that is a day, or half of a period that is
 * shorter than two; null without any.
 */
function sampledPart(
  { times, gaps, period, coverage }: EquityAnalysis,
  display: Display,
): { readonly text: string; readonly isEnough: boolean } | null {
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

/** From when to when equity is known. What was not sampled cannot be read later. */
export function samplesTexts(equity: EquityAnalysis, display: Display): CoverageTexts | null {
  const { t } = l10n;
  const { times, gaps } = equity;
  const sampled = sampledPart(equity, display);
  if (!sampled) return null;
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  const ends = `${minuteText(first, display)} – ${minuteText(last, display)}`;
  const count = display.count(gaps.length);
  const gapText = gaps.length === 1 ? t('1 gap between them') : t('{0} gaps between them', count);
  return {
    text: [sampled.text, ends, ...(gaps.length === 0 ? [] : [gapText])].join(' · '),
    isComplete: gaps.length === 0 && sampled.isEnough,
    gaps: [],
    gapsLabel: '',
    button: null,
  };
}

/** How a drawdown was computed, or why it was not. */
export function drawdownTexts(equity: EquityAnalysis, display: Display): string[] {
  const { drawdown, unit } = equity;
  if (drawdown.problem !== null) return [problemText(drawdown.problem)];
  const sampled = sampledPart(equity, display);
  const shownUnit = unit === null ? '' : ` ${cleanText(unit, 20)}`;
  const figure = (amount: NumberText): string => fullFigure(amount, 'equity', display) + shownUnit;
  return [
    ...(sampled ? [`${sampled.text}.`] : []),
    ...[flowsText(drawdown.flows, display), ...dropTexts(drawdown, figure, display)],
  ];
}

/** Why neither equity nor a drawdown is shown yet; null once there is enough of them. */
export function waitingText(equity: EquityAnalysis, display: Display): string | null {
  const sampled = sampledPart(equity, display);
  if (!sampled || sampled.isEnough) return null;
  return l10n.t('{0}. Equity and drawdown are shown once they cover a day.', sampled.text);
}

/** Why there is no drawdown. */
export function problemText(problem: NonNullable<Drawdown['problem']>): string {
  const { t } = l10n;
  return {
    noSamples: t('Not computable: there are fewer than two samples.'),
    notCovered: t('Not computable: transactions of this period may be missing, and so a deposit.'),
    unknownUnit: t(
      'Not computable: there were deposits or withdrawals, and the asset of equity is unknown.',
    ),
    notLearned: t(
      'Not computable: there were deposits or withdrawals, and it is not known yet which transactions the balance follows.',
    ),
    unexplainedFlow: t(
      'Not computable: samples and transactions disagree about a deposit, withdrawal or transfer.',
    ),
  }[problem];
}

function flowsText(flows: number, display: Display): string {
  return flows === 1
    ? l10n.t('1 deposit, withdrawal or transfer was taken out.')
    : l10n.t('{0} deposits, withdrawals and transfers were taken out.', display.count(flows));
}

function dropTexts(
  { deepest, longest }: Extract<Drawdown, { problem: null }>,
  figure: (amount: NumberText) => string,
  display: Display,
): string[] {
  const { t } = l10n;
  return [
    ...(deepest
      ? [t('Deepest: {0}, {1}.', figure(deepest.amount), periodText(deepest, display))]
      : []),
    ...(longest
      ? [
          longest.isOver
            ? t('Longest: {0}, {1}.', periodText(longest, display), figure(longest.amount))
            : t(
                'Longest: {0}, {1}; ongoing.',
                periodText(longest, display),
                figure(longest.amount),
              ),
        ]
      : []),
  ];
}
