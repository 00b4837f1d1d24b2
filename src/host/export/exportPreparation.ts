import { isAlways, openEnd, openStart, subtract, type Interval } from '../../base/interval.ts';
import type { ExportFormat } from '../../account/export/exportFormats.ts';
import {
  minExportReads,
  planExport,
  type ExportPlan,
  type ExportQuery,
} from '../../account/export/exportPlan.ts';
import type { ExportLedgers } from '../../account/export/exportLedgers.ts';
import { exportEnd, provedIn, type AccountRows } from '../../account/export/exportRows.ts';
import type { AccountSession } from '../../account/session/accountSession.ts';
import type { ActiveAccount } from '../../account/session/activeAccount.ts';
import type { Display } from '../../base/display.ts';
import { UserFacingError } from '../../base/errors.ts';
import { systemClock } from '../../base/time.ts';
import { dayCountOf } from '../../base/timeZone.ts';
import type { HistoryName } from '../../api/operations.ts';
import { Ledgers } from '../../ledger/ledgers.ts';
import type { AccountLedger } from '../ledger/openLedger.ts';
import { t } from '../shared/translate.ts';
import { untrustedText } from '../text/messageText.ts';
import { askFormat, confirmLongExport, askTarget } from './exportQuestions.ts';
import type { Services } from '../settings/services.ts';

/** An export whose questions are answered. */
export type PreparedExport = {
  readonly query: ExportQuery;
  readonly session: AccountSession;
  readonly plan: ExportPlan;
  readonly ledger: AccountRows | undefined;
  readonly target: string;
};

/** The answers for an export that failed, so that resuming does not ask again. */
export type EarlierAnswers = { readonly format: ExportFormat; readonly target: string | undefined };

export type PrepareOptions = Pick<Services, 'active' | 'display' | 'confirmRealValues'> & {
  readonly ledger: Pick<AccountLedger, 'current'>;
  readonly exports: Pick<ExportLedgers, 'find' | 'removeExpired'>;
};

/** Asks the questions of an export; undefined when the user cancels. Rejects if the export cannot begin. */
export async function prepareExport(
  options: PrepareOptions,
  query: ExportQuery,
  earlier: EarlierAnswers | undefined,
): Promise<PreparedExport | undefined> {
  const { active, ledger, exports, display, confirmRealValues } = options;
  if (!Ledgers.isSupported())
    throw new UserFacingError(
      t('An export needs SQLite, which this version of VS Code does not have: update VS Code.'),
    );
  const session = await active.session();
  if (!(await confirmRealValues())) return undefined;
  const scope = exportScopeText(query, display.current, systemClock.now());
  const format = earlier?.format ?? (await askFormat(scope, query.matchingRows, display.current));
  if (!format) return undefined;
  const { current } = ledger;
  const planned = planExport(session, query, format);
  const to = await exportEnd(current, query, planned.range.to);
  const plan = { ...planned, range: { ...planned.range, to } };
  await exports.removeExpired();
  const resumed = await exports.find(plan);
  if (!resumed && !earlier) {
    const gaps = subtract([plan.range], await provedIn(current, query.request, [plan.range]));
    const reads = minExportReads(gaps, session.conventions.current);
    if (!(await confirmLongExport(plan, reads, display.current))) return undefined;
  }
  const target = earlier?.target ?? (await askTarget(plan, resumed, display.current));
  if (target === undefined) return undefined;
  if (!isSessionOpen(active, session))
    throw new UserFacingError(
      t('Nothing was exported, because another account was opened in the meantime.'),
    );
  return { query, session, plan, ledger: current, target };
}

export function isSessionOpen({ state }: ActiveAccount, session: AccountSession): boolean {
  return state.kind === 'open' && state.session === session;
}

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
  if (count === undefined)
    return {
      orders: t('orders'),
      trades: t('trades'),
      lots: t('liquidation auctions'),
      transactions: t('transactions'),
    }[operation];
  const shown = display.count(count);
  return {
    orders: t('{0} orders', shown),
    trades: t('{0} trades', shown),
    lots: t('{0} lots of liquidation auctions', shown),
    transactions: t('{0} transactions', shown),
  }[operation];
}

function periodText(period: Interval, display: Display, now: number): string {
  const at = (epochMs: number): string => display.timeToSecond(epochMs);
  const { from, to } = period;
  const days = dayCountOf(period, now, display.zone);
  if (days === 1) return t('today');
  if (days !== undefined) return t('last {0} days', days);
  if (isAlways(period)) return t('all days');
  if (to === openEnd) return t('from {0}', at(from));
  return from === openStart ? t('until {0}', at(to)) : `${at(from)} – ${at(to)}`;
}
