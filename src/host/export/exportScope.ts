import { l10n } from 'vscode';
import type { ExportQuery } from '../../account/export/exportPlan.ts';
import type { Display } from '../../base/display.ts';
import { dayCountOf } from '../../base/lastDays.ts';
import type { HistoryName } from '../../exchange/history/historyRecords.ts';
import { untrustedText } from '../text/messageText.ts';

/** `1,232 trades · btc_usdt · last 7 days`: which rows an export writes. `now` is in epoch milliseconds. */
export function exportScopeText(
  { request, period, matchingRows }: ExportQuery,
  display: Display,
  now: number,
): string {
  const filters = Object.values<string | readonly string[] | undefined>(request.filters);
  const values = filters.flatMap((value) => value ?? []).map((value) => untrustedText(value, 40));
  const rows = rowsText(request.operation, matchingRows, display);
  return [rows, ...values, periodText(period, display, now)].join(' · ');
}

/** Without a count, the exchange gave none for these filters. */
function rowsText(operation: HistoryName, count: number | undefined, display: Display): string {
  const { t } = l10n;
  if (count === undefined)
    return {
      orders: t('orders'),
      trades: t('trades'),
      lots: t('liquidation lots'),
      transactions: t('transactions'),
    }[operation];
  const shown = display.count(count);
  return {
    orders: t('{0} orders', shown),
    trades: t('{0} trades', shown),
    lots: t('{0} liquidation lots', shown),
    transactions: t('{0} transactions', shown),
  }[operation];
}

function periodText({ from, to }: ExportQuery['period'], display: Display, now: number): string {
  const { t } = l10n;
  const at = (epochMs: number): string => display.timeToSecond(String(epochMs));
  const days = dayCountOf({ from, to }, now, display.zone);
  if (days === 1) return t('today');
  if (days !== undefined) return t('last {0} days', days);
  if (from === undefined && to === undefined) return t('all days');
  if (to === undefined) return t('from {0}', at(from ?? 0));
  return from === undefined ? t('until {0}', at(to)) : `${at(from)} – ${at(to)}`;
}
