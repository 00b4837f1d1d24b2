import { unknownText } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import { clip, intersection, openStart, subtract, type Interval } from '../../base/interval.ts';
import { minuteMs } from '../../base/time.ts';
import type { AnalysisCoverage, AnalysisGap } from '../../ledger/analysis/analysis.ts';
import type { LedgerHistory } from '../../ledger/ledger.ts';
import type { Card, CoverageBlock } from '../../protocol/document.ts';
import type { ChartData } from '../../protocol/chart.ts';
import { gapReasonText, ledgerHistoryLabel } from '../ledger/ledgerText.ts';
import { t } from '../shared/translate.ts';
import { incompleteText, partOfPeriodText } from '../text/partOfPeriodText.ts';
import type { Live } from '../webview/documentPanel.ts';

/** What is known of the rows that an analysis is made of. */
export type Covered = { readonly period: Interval; readonly coverage: AnalysisCoverage };

/** Of a figure whose rows may be missing. */
type Part = {
  /** `42 of 90 days`, or `2 rows lack values`. */
  readonly text: string;
  /** The same in place of a headline. */
  readonly incomplete: string;
  /** One of its histories was not read at all in the period: there is no figure. */
  readonly isUnread: boolean;
};

/** How much there is of a figure of these histories: as little as of the least of them. Null if there is no gap. */
export function partOf(
  { period, coverage }: Covered,
  display: Display,
  histories?: readonly LedgerHistory[],
): Part | null {
  const isOne = ({ history }: { readonly history: LedgerHistory }): boolean =>
    histories?.includes(history) ?? true;
  const gaps = coverage.gaps.filter(isOne);
  const [first] = gaps;
  const known = coverage.byHistory.filter(isOne);
  const part = (text: string, isUnread: boolean): Part => {
    return { text, incomplete: incompleteText(text), isUnread };
  };
  if (!first) {
    const leftOut = leftOutRows(known);
    return leftOut === 0 ? null : part(leftOutText(leftOut, display), false);
  }
  const complete = intersection(known.map((each) => each.complete));
  const end = Math.max(...[...gaps, ...complete].map(({ to }) => to));
  const whole = {
    from: first.from === openStart ? openStart : period.from,
    to: Math.min(period.to, end),
  };
  const isUnread = known.some(({ neverRead }) => subtract([whole], neverRead).length === 0);
  return part(partOfPeriodText(complete, whole, display), isUnread);
}

/** How many rows are not, or not whole, in figures of these histories. */
function leftOutRows(byHistory: AnalysisCoverage['byHistory']): number {
  return byHistory.reduce((sum, each) => sum + each.undatedRows + each.lackingRows, 0);
}

function leftOutText(rows: number, display: Display): string {
  return rows === 1 ? t('1 row lacks a value') : t('{0} rows lack values', display.count(rows));
}

/** The figures of a card, as far as they are known. */
export function partialCard(card: Live<Card>, part: Part | null): Live<Card> {
  if (!part) return card;
  const { incomplete, isUnread } = part;
  return { ...card, incomplete, ...(isUnread && { lines: [{ text: unknownText }], notes: [] }) };
}

/** What a chart hatches. */
export function chartGaps({ coverage, period }: Covered): ChartData['gaps'] {
  return clip(coverage.gaps, period);
}

/** A list of gaps ends here; the ledger's page has all of them. */
const mostGaps = 20;

/** Whether rows may be missing in the figures, and where. None of a period without a moment in the past. */
export function coverageBlocks(
  covered: Covered,
  display: Display,
  fill: NonNullable<Live<CoverageBlock>['button']>,
): Live<CoverageBlock>[] {
  const { complete, gaps } = covered.coverage;
  if (gaps.length === 0 && complete.length === 0) return [];
  const hasGaps = gaps.length > 0;
  return [
    {
      kind: 'coverage',
      text: coverageText(covered, display),
      isComplete: partOf(covered, display) === null,
      gaps: gaps.slice(0, mostGaps).map((gap) => gapTextOf(gap, display)),
      gapsLabel: t('Gaps: {0}', display.count(gaps.length)),
      button: hasGaps ? fill : null,
    },
  ];
}

function coverageText(covered: Covered, display: Display): string {
  const { complete, gaps, byHistory } = covered.coverage;
  const hasGaps = gaps.length > 0;
  const periods = complete.map((interval) => completePeriodText(interval, display)).join(', ');
  const gapText = gaps.length === 1 ? t('1 gap') : t('{0} gaps', display.count(gaps.length));
  const completeText = hasGaps ? t('complete {0}', periods) : t('Complete {0}', periods);
  const leftOut = leftOutRows(byHistory);
  return [
    ...(hasGaps ? [partOf(covered, display)?.incomplete ?? '', gapText] : []),
    ...(complete.length === 0 ? [] : [completeText]),
    ...(leftOut === 0
      ? []
      : [t('{0}, so sums may be too low or too high', leftOutText(leftOut, display))]),
  ].join(' · ');
}

function gapTextOf(
  { history, completeness, reason, from, to }: AnalysisGap,
  display: Display,
): string {
  const [first = '', last = ''] = [from, to].map((time) => display.timeToSecond(time));
  const period = from === openStart ? t('to {0}', last) : `${first} – ${last}`;
  return [ledgerHistoryLabel(history), period, gapReasonText(completeness, reason)].join(' · ');
}

/** By whole days; an end within a day has its minute, so that no other moment of that day is promised. */
export function completePeriodText({ from, to }: Interval, display: Display): string {
  const isMidnight = (epochMs: number): boolean =>
    epochMs % minuteMs === 0 && timeOfDayText(epochMs, display) === '00:00';
  // The day before a midnight is whole.
  const last = isMidnight(to) ? dayText(to - 1, display) : minuteText(to, display);
  if (from === openStart) return t('to {0}', last);
  const first = isMidnight(from) ? dayText(from, display) : minuteText(from, display);
  if (first === last) return first;
  return dayText(from, display) === dayText(to, display)
    ? `${minuteText(from, display)} – ${timeOfDayText(to, display)}`
    : `${first} – ${last}`;
}

/** By its first and its last day. */
export function periodText({ from, to }: Interval, display: Display): string {
  const last = dayText(to - 1, display);
  if (from === openStart) return t('to {0}', last);
  const first = dayText(from, display);
  return first === last ? first : `${first} – ${last}`;
}

export function dayText(epochMs: number, display: Display): string {
  return minuteText(epochMs, display).slice(0, 'YYYY-MM-DD'.length);
}

function timeOfDayText(epochMs: number, display: Display): string {
  return minuteText(epochMs, display).slice('YYYY-MM-DDT'.length);
}

export function minuteText(epochMs: number, display: Display): string {
  return display.time(epochMs).slice(0, 'YYYY-MM-DDTHH:MM'.length);
}
