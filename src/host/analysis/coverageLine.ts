import { l10n } from 'vscode';
import type { Display } from '../../base/display.ts';
import { minuteMs } from '../../base/time.ts';
import type { AnalysisGap } from '../../ledger/analysis/analysis.ts';
import type { Interval } from '../../ledger/ledger.ts';
import type { CoverageTexts, FillAction } from '../../protocol/analysisMessages.ts';
import { gapReasonText, ledgerHistoryLabel } from '../ledger/ledgerText.ts';
import { incompleteText } from '../text/partOfPeriodText.ts';
import { partOf, rowsLeftOut, type Covered } from './partialFigures.ts';

/** A list of gaps ends here; the ledger's page has all of them. */
const mostGaps = 20;

/** Whether rows may be missing in the figures, and where. Null of a period without a moment in the past. */
export function coverageTexts(
  covered: Covered,
  action: FillAction,
  display: Display,
): CoverageTexts | null {
  const { t } = l10n;
  const { complete, gaps } = covered.coverage;
  const { undatedRows, lackingRows } = rowsLeftOut(covered.coverage.byHistory);
  if (gaps.length === 0 && complete.length === 0) return null;
  const hasGaps = gaps.length > 0;
  const periods = complete.map((interval) => completePeriodText(interval, display)).join(', ');
  const count = display.count(gaps.length);
  const gapText = gaps.length === 1 ? t('1 gap') : t('{0} gaps', count);
  const part = partOf(covered, display);
  return {
    text: [
      ...(part && hasGaps ? [incompleteText(part.text), gapText] : []),
      ...(periods === ''
        ? []
        : [hasGaps ? t('complete {0}', periods) : t('Complete {0}', periods)]),
      ...(undatedRows === 0 ? [] : [undatedText(undatedRows, display)]),
      ...(lackingRows === 0 ? [] : [lackingText(lackingRows, display)]),
    ].join(' · '),
    isComplete: !hasGaps && undatedRows + lackingRows === 0,
    gaps: gaps.slice(0, mostGaps).map((gap) => gapTextOf(gap, display)),
    gapsLabel: t('Gaps: {0}', count),
    button: hasGaps ? { action, label: t('Fill Gaps') } : null,
  };
}

/** Whether both name the same gaps and periods. A last gap ends when it was looked at. */
export function isSameCoverage(one: Covered, other: Covered, display: Display): boolean {
  const said = (covered: Covered): string =>
    JSON.stringify([
      coverageTexts(covered, 'fillGaps', display)?.text,
      covered.coverage.gaps.map(({ history, from }) => [history, from]),
    ]);
  return said(one) === said(other);
}

function undatedText(rows: number, display: Display): string {
  return rows === 1
    ? l10n.t('1 row has no readable time and is left out')
    : l10n.t('{0} rows have no readable time and are left out', display.count(rows));
}

function lackingText(rows: number, display: Display): string {
  return rows === 1
    ? l10n.t('1 row lacks a figure, which is missing in the sums')
    : l10n.t('{0} rows lack figures, which are missing in the sums', display.count(rows));
}

function gapTextOf(
  { history, completeness, reason, ...gap }: AnalysisGap,
  display: Display,
): string {
  const times = [gap.from, gap.to].map((time) => display.timeToSecond(String(time)));
  const period = gap.from === 0 ? l10n.t('to {0}', times[1] ?? '') : times.join(' – ');
  return [ledgerHistoryLabel(history), period, gapReasonText(completeness, reason)].join(' · ');
}

/** By whole days; an end within a day has its minute, so that no other moment of that day is promised. */
export function completePeriodText({ from, to }: Interval, display: Display): string {
  const last = endText(to, display);
  if (from === 0) return l10n.t('to {0}', last);
  const first = startText(from, display);
  if (first === last) return first;
  const endsOnItsDay = dayText(from, display) === dayText(to, display);
  return endsOnItsDay
    ? `${minuteText(from, display)} – ${timeOfDayText(to, display)}`
    : `${first} – ${last}`;
}

function startText(epochMs: number, display: Display): string {
  return isMidnight(epochMs, display) ? dayText(epochMs, display) : minuteText(epochMs, display);
}

/** The day before a midnight is whole. */
function endText(epochMs: number, display: Display): string {
  return isMidnight(epochMs, display)
    ? dayText(epochMs - 1, display)
    : minuteText(epochMs, display);
}

function isMidnight(epochMs: number, display: Display): boolean {
  return epochMs % minuteMs === 0 && timeOfDayText(epochMs, display) === '00:00';
}

/** By its first and its last day. */
export function periodText({ from, to }: Interval, display: Display): string {
  const last = dayText(to - 1, display);
  if (from === 0) return l10n.t('to {0}', last);
  const first = dayText(from, display);
  return first === last ? first : `${first} – ${last}`;
}

function dayText(epochMs: number, display: Display): string {
  return minuteText(epochMs, display).slice(0, 'YYYY-MM-DD'.length);
}

function timeOfDayText(epochMs: number, display: Display): string {
  return minuteText(epochMs, display).slice('YYYY-MM-DDT'.length);
}

export function minuteText(epochMs: number, display: Display): string {
  return display.time(String(epochMs)).slice(0, 'YYYY-MM-DDTHH:MM'.length);
}
