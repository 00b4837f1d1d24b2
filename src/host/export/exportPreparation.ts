import { isAlways, openEnd, openStart, type Interval } from '../../base/interval.ts';
import type { ExportFormat } from '../../account/export/exportFormats.ts';
import {
  minExportReads,
  planExport,
  type ExportPlan,
  type ExportQuery,
} from '../../account/export/exportPlan.ts';
import { findLedgerSource, type LedgerSource } from '../../account/export/ledgerSource.ts';
import type { FoundPartial, PartialExports } from '../../account/export/partialExports.ts';
import type { PartialFile } from '../../account/export/partialFile.ts';
import type { AccountSession } from '../../account/session/accountSession.ts';
import type { ActiveAccount } from '../../account/session/activeAccount.ts';
import type { Display } from '../../base/display.ts';
import { UserFacingError } from '../../base/errors.ts';
import { systemClock } from '../../base/time.ts';
import { dayCountOf } from '../../base/timeZone.ts';
import type { HistoryName } from '../../api/operations.ts';
import type { AccountLedger } from '../ledger/openLedger.ts';
import { t } from '../shared/translate.ts';
import { untrustedText } from '../text/messageText.ts';
import {
  askFormat,
  confirmLongExport,
  confirmStartingOver,
  askTarget,
  askToResume,
} from './exportQuestions.ts';
import { resumedElsewhereText } from './exportText.ts';
import type { Services } from '../settings/services.ts';

/** An export whose questions are answered. */
export type PreparedExport = {
  readonly query: ExportQuery;
  readonly session: AccountSession;
  readonly plan: ExportPlan;
  readonly partial: PartialFile;
  /** Has every row; undefined if the exchange is read. */
  readonly ledger: LedgerSource | undefined;
  readonly target: string;
};

/** The answers for an export that failed, so that resuming does not ask again. */
export type EarlierAnswers = { readonly format: ExportFormat; readonly target: string | undefined };

export type PrepareOptions = Pick<Services, 'active' | 'display' | 'confirmRealValues'> & {
  readonly ledger: Pick<AccountLedger, 'current'>;
  readonly partials: PartialExports;
};

/** Asks the questions of an export; undefined when the user cancels. Rejects if the export cannot begin. */
export async function prepareExport(
  options: PrepareOptions,
  query: ExportQuery,
  earlier: EarlierAnswers | undefined,
): Promise<PreparedExport | undefined> {
  const { active, ledger, partials, display, confirmRealValues } = options;
  const session = await active.session();
  if (!(await confirmRealValues())) return undefined;
  const scope = exportScopeText(query, display.current, systemClock.now());
  const format = earlier?.format ?? (await askFormat(scope, query.matchingRows, display.current));
  if (!format) return undefined;
  const { current } = ledger;
  const source = current && (await findLedgerSource(current, query, session.serverNow()));
  const planned = planExport(session, query, format);
  // The ledger may be a few seconds behind the exchange: the export ends where it does.
  const to = Math.min(planned.range.to, source?.to ?? Infinity);
  const plan = { ...planned, range: { ...planned.range, to } };
  const found = await partials.find(plan);
  const reads = source ? 0 : minExportReads(plan, session.conventions.current);
  const choice = await chooseResume(options, plan, found, reads, earlier);
  if (!choice) return undefined;
  const isResumed = choice.kind === 'resumable';
  const range = isResumed ? choice.progress.range : plan.range;
  const target = earlier?.target ?? (await askTarget(plan, range));
  if (target === undefined) return undefined;
  if (!isSessionOpen(active, session))
    throw new UserFacingError(
      t('Nothing was exported, because another account was opened in the meantime.'),
    );
  if (!isResumed && found.kind !== 'none') await partials.discard(found);
  const partial = isResumed ? await partials.resume(choice) : await partials.start(plan);
  if (!partial) throw new UserFacingError(resumedElsewhereText(plan));
  return { query, session, plan, partial, ledger: isResumed ? undefined : source, target };
}

export function isSessionOpen({ state }: ActiveAccount, session: AccountSession): boolean {
  return state.kind === 'open' && state.session === session;
}

/** What to resume; `new`: the export starts from its first row. */
type ResumeChoice = Extract<FoundPartial, { kind: 'resumable' }> | { readonly kind: 'new' };

async function chooseResume(
  { display }: PrepareOptions,
  plan: ExportPlan,
  found: FoundPartial,
  reads: number,
  earlier: EarlierAnswers | undefined,
): Promise<ResumeChoice | undefined> {
  if (found.kind === 'resumable') {
    const { progress, savedAt } = found;
    const choice = earlier ? 'resume' : await askToResume(plan, progress, savedAt, display.current);
    if (choice === 'resume') return found;
    if (!choice) return undefined;
  }
  if (found.kind === 'damaged' && !(await confirmStartingOver(plan))) return undefined;
  const isConfirmed =
    earlier !== undefined || (await confirmLongExport(plan, reads, display.current));
  return isConfirmed ? { kind: 'new' } : undefined;
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
