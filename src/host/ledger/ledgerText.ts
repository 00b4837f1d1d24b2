import type { Display } from '../../base/display.ts';
import { minuteMs } from '../../base/time.ts';
import type { CoverageState } from '../../ledger/coverage/coverageParts.ts';
import type { LedgerHistory } from '../../ledger/ledger.ts';
import type { DownloadProgress } from '../../ledger/sync/download.ts';
import type { DownloadCost } from '../../ledger/sync/downloadPlan.ts';
import { t } from '../shared/translate.ts';
import { historyLabel } from '../text/historyLabel.ts';
import { requestsText, rowCountText, timeLeftText } from '../text/progressText.ts';
import { incompleteReasonText } from '../text/incompleteReasonText.ts';

export function ledgerHistoryLabel(history: LedgerHistory): string {
  return {
    orders: historyLabel('orders'),
    trades: historyLabel('trades'),
    lots: historyLabel('lots'),
    futureTransactions: `${historyLabel('transactions')} · FUTURE`,
    spotTransactions: `${historyLabel('transactions')} · SPOT`,
  }[history];
}

/** What is known of a period, in a word or two. */
export function coverageWord(state: CoverageState): string {
  return {
    complete: t('complete'),
    drifted: t('changed while read'),
    unknown: t('not verified'),
    neverRead: t('never read'),
  }[state];
}

/** Why a period is not complete, as a part of a sentence. */
export function gapReasonText(state: CoverageState, reason: string | null): string {
  if (state === 'drifted') return t('records changed while they were read');
  if (state === 'neverRead') return t('never read');
  return incompleteReasonText(reason ?? '') ?? t('not verified');
}

/** `Takes about 12 requests · weight 120 · about 3 min`; at least that if rows were not counted. */
export function costText(
  { isCounted, pages, weight, durationMs }: DownloadCost,
  display: Display,
): string {
  const requests = requestsText(pages, display);
  return [
    isCounted ? t('Takes about {0}', requests) : t('Takes at least {0}', requests),
    t('weight {0}', display.count(weight)),
    durationText(durationMs, display),
  ].join(' · ');
}

/** `Trade History 40% · 12,000 rows · about 3 min left`. */
export function downloadText(
  { history, fraction, rows }: DownloadProgress,
  leftMs: number,
  display: Display,
): string {
  const percent = display.count(Math.floor(fraction * 100));
  const read = t('{0} {1}%', ledgerHistoryLabel(history), percent);
  return [read, rowCountText(rows, display), timeLeftText(leftMs, display)].join(' · ');
}

function durationText(durationMs: number, display: Display): string {
  const minutes = Math.ceil(durationMs / minuteMs);
  if (minutes <= 1) return t('less than a minute');
  if (minutes < 120) return t('about {0} min', display.count(minutes));
  return t('about {0} h', display.count(Math.ceil(minutes / 60)));
}
