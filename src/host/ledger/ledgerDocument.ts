import { l10n } from 'vscode';
import { originOf } from '../../account/session/profile.ts';
import type { AccountSession } from '../../account/session/accountSession.ts';
import type { Display } from '../../base/display.ts';
import { coverageMonths, type CoverageMonth } from '../../ledger/coverage/coverageMap.ts';
import { completeTo } from '../../ledger/coverage/coverageParts.ts';
import type { HistorySummary, LedgerSummary } from '../../ledger/coverage/ledgerSummary.ts';
import type { LedgerDocument, LedgerHistoryMap, LedgerMonth } from '../../protocol/ledgerMap.ts';
import { rowCountText } from '../export/exportText.ts';
import { pageAccount } from '../text/pageAccount.ts';
import { coverageWord, gapReasonText, ledgerHistoryLabel } from './ledgerText.ts';

type Account = Pick<AccountSession, 'profile'>;

/** Older months are left out of the bars; the gaps in words have them. */
const mostMonths = 120;

/** The page without an account. */
export function closedDocument(): LedgerDocument {
  const { t } = l10n;
  return {
    ...emptyDocument(),
    notes: [t('No account is open.')],
    buttons: [
      { action: 'tryPractice', label: t('Try the Practice Exchange') },
      { action: 'switchProfile', label: t('Switch Profile') },
    ],
  };
}

/** The page of an account without a ledger, or whose ledger could not be read. */
export function noLedgerDocument(account: Account, note: string): LedgerDocument {
  return {
    ...emptyDocument(),
    account: pageAccount(account.profile, originOf(account.profile)),
    notes: [note],
    buttons: [downloadButton()],
  };
}

/** Which periods of each history the ledger has, and how complete they are. */
export function ledgerDocument(
  account: Account,
  summary: LedgerSummary,
  bytes: number,
  display: Display,
): LedgerDocument {
  const { t } = l10n;
  const isEmpty = summary.synchronisedAt === null;
  return {
    ...emptyDocument(),
    account: pageAccount(account.profile, originOf(account.profile)),
    notes: isEmpty ? [emptyText(summary)] : [],
    buttons: [
      downloadButton(),
      ...(hasGaps(summary) ? [{ action: 'fillGaps', label: t('Fill Gaps') } as const] : []),
      ...(isEmpty ? [] : rowButtons()),
      { action: 'backUpLedger', label: t('Back Up…') },
      { action: 'deleteLedger', label: t('Delete…') },
    ],
    details: detailTexts(summary, bytes, display),
    map: isEmpty ? null : mapOf(summary, display),
  };
}

function emptyText({ histories }: LedgerSummary): string {
  return histories.some(({ reading }) => reading !== null)
    ? l10n.t('The first download has not ended yet.')
    : l10n.t('Nothing was downloaded yet.');
}

function emptyDocument(): LedgerDocument {
  const title = l10n.t('Ledger');
  return { title, account: null, notes: [], buttons: [], details: [], map: null };
}

function downloadButton(): LedgerDocument['buttons'][number] {
  return { action: 'downloadHistory', label: l10n.t('Download History…') };
}

/** What the rows of a ledger are used for. */
function rowButtons(): LedgerDocument['buttons'] {
  const { t } = l10n;
  return [
    { action: 'openAnalysis', label: t('Open Analysis') },
    { action: 'openReconciliation', label: t('Open Reconciliation') },
    { action: 'writeStatement', label: t('Write Statement…') },
  ];
}

function detailTexts(
  { synchronisedAt, histories }: LedgerSummary,
  bytes: number,
  display: Display,
): LedgerDocument['details'] {
  const { t } = l10n;
  const rows = histories.reduce((sum, history) => sum + history.rows, 0);
  const time = synchronisedAt === null ? t('never') : timeText(synchronisedAt, display);
  return [
    { label: t('Rows'), text: display.count(rows) },
    { label: t('File'), text: sizeText(bytes, display) },
    { label: t('Last synchronised'), text: time },
  ];
}

function sizeText(bytes: number, display: Display): string {
  const kib = Math.ceil(bytes / 1024);
  return kib < 10_240
    ? l10n.t('{0} KiB', display.count(kib))
    : l10n.t('{0} MiB', display.count(Math.round(kib / 1024)));
}

function mapOf({ period, histories }: LedgerSummary, display: Display): LedgerDocument['map'] {
  const states = ['complete', 'drifted', 'unknown', 'neverRead'] as const;
  const months = coverageMonths([neverRead(period)], display.zone).slice(-mostMonths);
  return {
    title: l10n.t('Coverage by month'),
    legend: states.map((state) => ({ state, label: coverageWord(state) })),
    histories: histories.map((history) => historyMap(history, months, display)),
  };
}

function neverRead(period: LedgerSummary['period']) {
  return { ...period, completeness: 'neverRead', reason: null, asOf: null } as const;
}

function historyMap(
  { history, rows, readTo, reading, parts }: HistorySummary,
  months: readonly CoverageMonth[],
  display: Display,
): LedgerHistoryMap {
  const own = new Map(coverageMonths(parts, display.zone).map((month) => [month.from, month]));
  const gaps = readTo === null ? [] : parts.filter((part) => part.completeness !== 'complete');
  return {
    label: ledgerHistoryLabel(history),
    summary: [
      rowCountText(rows, display),
      ...(readTo === null && reading ? [] : [reachText(readTo, parts, display)]),
      ...(reading ? [readingText(reading)] : []),
    ].join(' · '),
    months: months.map((month) => monthOf(own.get(month.from) ?? month, readTo, display)),
    gaps: gaps.map((gap) => {
      const reason = gapReasonText(gap.completeness, gap.reason);
      return l10n.t('{0}: {1}', periodText(gap, display), reason);
    }),
  };
}

function monthOf(
  { from, completeness }: CoverageMonth,
  readTo: number | null,
  display: Display,
): LedgerMonth {
  const state = readTo === null ? 'neverRead' : completeness;
  const label = timeText(from, display).slice(0, 'YYYY-MM'.length);
  return { label, state, detail: l10n.t('{0}: {1}', label, coverageWord(state)) };
}

function readingText(reading: 'running' | 'paused'): string {
  return reading === 'running' ? l10n.t('being read') : l10n.t('paused');
}

function reachText(
  readTo: number | null,
  parts: HistorySummary['parts'],
  display: Display,
): string {
  if (readTo === null) return l10n.t('never read');
  const end = completeTo(parts);
  return end === readTo
    ? l10n.t('complete to {0}', timeText(readTo, display))
    : l10n.t('read to {0}, with gaps', timeText(readTo, display));
}

function hasGaps({ histories }: LedgerSummary): boolean {
  return histories.some(
    ({ readTo, parts }) =>
      readTo !== null && parts.some(({ completeness }) => completeness !== 'complete'),
  );
}

function periodText({ from, to }: LedgerSummary['period'], display: Display): string {
  return `${timeText(from, display)} – ${timeText(to, display)}`;
}

function timeText(epochMs: number, display: Display): string {
  return display.timeToSecond(String(epochMs));
}
