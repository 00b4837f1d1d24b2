import { l10n } from 'vscode';
import type { Display } from '../../base/display.ts';
import type { AnalysisCoverage, AnalysisGap } from '../../ledger/analysis/analysis.ts';
import type { Interval } from '../../ledger/ledger.ts';
import type { AnalysisResult } from '../../protocol/analysisMessages.ts';
import { gapReasonText, ledgerHistoryLabel } from '../ledger/ledgerText.ts';

/** A list of gaps ends here; the ledger's page has all of them. */
const mostGaps = 20;

/** Whether rows may be missing in the figures, and where. */
export function coverageTexts(
  { complete, gaps, histories, undatedRows }: AnalysisCoverage,
  display: Display,
): AnalysisResult['coverage'] {
  const { t } = l10n;
  const isComplete = gaps.length === 0 && complete.length > 0;
  const periods = complete.map((interval) => periodText(interval, display)).join(', ');
  const count = display.count(gaps.length);
  const gapText =
    gaps.length === 1 ? t('1 gap: figures may be low') : t('{0} gaps: figures may be low', count);
  return {
    text: [
      ...(isComplete || histories.length === 0 ? [] : [gapText]),
      ...(periods === ''
        ? []
        : [isComplete ? t('Complete {0}', periods) : t('complete {0}', periods)]),
      ...(undatedRows === 0 ? [] : [undatedText(undatedRows, display)]),
    ].join(' · '),
    isComplete: isComplete && undatedRows === 0,
    gaps: gaps.slice(0, mostGaps).map((gap) => gapTextOf(gap, display)),
    gapsLabel: t('Gaps: {0}', count),
    button: isComplete ? null : { action: 'fillGaps', label: t('Fill Gaps') },
  };
}

function undatedText(rows: number, display: Display): string {
  return rows === 1
    ? l10n.t('1 row has no readable time and is left out')
    : l10n.t('{0} rows have no readable time and are left out', display.count(rows));
}

function gapTextOf(
  { history, completeness, reason, ...gap }: AnalysisGap,
  display: Display,
): string {
  const times = [gap.from, gap.to].map((time) => display.timeToSecond(String(time)));
  const period = gap.from === 0 ? l10n.t('to {0}', times[1] ?? '') : times.join(' – ');
  return [ledgerHistoryLabel(history), period, gapReasonText(completeness, reason)].join(' · ');
}

/** By its first and its last day. */
export function periodText({ from, to }: Interval, display: Display): string {
  const last = dayText(to - 1, display);
  if (from === 0) return l10n.t('to {0}', last);
  const first = dayText(from, display);
  return first === last ? first : `${first} – ${last}`;
}

export function dayText(epochMs: number, display: Display): string {
  return display.time(String(epochMs)).slice(0, 'YYYY-MM-DD'.length);
}
