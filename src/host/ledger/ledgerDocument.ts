import { clip, isEmpty, openStart, subtract, union, type Interval } from '../../base/interval.ts';
import type { Profile } from '../../account/session/profile.ts';
import type { Display } from '../../base/display.ts';
import {
  completeTo,
  coverageParts,
  longestUnreadMs,
  type CoveragePart,
} from '../../ledger/coverage/coverageParts.ts';
import {
  readLedgerSummary,
  type HistorySummary,
  type LedgerSummary,
} from '../../ledger/coverage/ledgerSummary.ts';
import type { Ledgers } from '../../ledger/ledgers.ts';
import type { PlannedWalk } from '../../ledger/sync/downloadPlan.ts';
import type { MapLine, MapMonth, MonthState, Section } from '../../protocol/document.ts';
import { t } from '../shared/translate.ts';
import { errorText } from '../text/failureText.ts';
import { rowCountText } from '../text/progressText.ts';
import { monthsOf } from '../../account/statement/statementMonth.ts';
import { monthCoverageText } from '../text/partOfPeriodText.ts';
import type { Live, LiveDocument } from '../webview/documentPanel.ts';
import type { Documents, OpenDocuments } from '../webview/documents.ts';
import { downloadButton, emptyDocument, noAccount, noLedger } from '../webview/documentParts.ts';
import { accountTab } from '../webview/tab.ts';
import { leavingIn, listedHistories, listedText } from './leavingRows.ts';
import { coverageWord, gapReasonText, ledgerHistoryLabel } from './ledgerText.ts';
import type { AccountLedger } from './openLedger.ts';
import type { ProfileLedgers } from './profileLedgers.ts';
import type { Services } from '../settings/services.ts';

type LedgerPageOptions = Pick<Services, 'active' | 'display'> & {
  readonly profileLedgers: ProfileLedgers;
  readonly shown: AccountLedger;
  readonly ledgers: Pick<Ledgers, 'bytesOf'>;
  /** Downloads what is missing, and these periods; reports its own failures. */
  readonly fillGaps: (also: readonly PlannedWalk[]) => void;
};

/** The page of a ledger: that of the account that is open. A read of the account does not change it. */
export function addLedgerPage(documents: Documents, options: LedgerPageOptions): OpenDocuments {
  const { active, shown } = options;
  const source = {
    tab: () => accountTab(t('Ledger'), active),
    document: () => documentOf(options),
    changes: [active.onDidSwitch, shown.onDidChange, shown.onDidWrite],
  };
  return documents.add({ name: 'ledger', source: () => source });
}

async function documentOf(options: LedgerPageOptions): Promise<LiveDocument> {
  const { active, display, profileLedgers, ledgers, fillGaps } = options;
  if (active.state.kind !== 'open') return closedDocument(display.latest());
  const { session } = active.state;
  const ledger = profileLedgers.open;
  if (!ledger) return noLedgerDocument(session.profile, display.latest());
  const { id, reader, writer } = ledger;
  const { profile } = ledger.account;
  try {
    const summary = await readLedgerSummary(reader, writer);
    const known = { bytes: ledgers.bytesOf(id), now: session.serverNow() };
    return ledgerDocument(profile, summary, known, display.latest(), fillGaps);
  } catch (error) {
    const notes = [errorText(error, display.latest())];
    return { ...noLedgerDocument(profile, display.latest()), notes, sections: [] };
  }
}

/** Older months are left out of the bars; the gaps in words have them. */
const mostMonths = 120;

/** The page without an account. */
export function closedDocument(display: Display): LiveDocument {
  return { ...emptyDocument(t('Ledger'), display), ...noAccount() };
}

/** The page of an account without a ledger. */
export function noLedgerDocument(profile: Profile, display: Display): LiveDocument {
  return { ...emptyDocument(t('Ledger'), display, profile), ...noLedger() };
}

/** Which periods of each history the ledger has, and how complete they are. `now` is of the exchange. */
export function ledgerDocument(
  profile: Profile,
  summary: LedgerSummary,
  { bytes, now }: { readonly bytes: number; readonly now: number },
  display: Display,
  fillGaps: LedgerPageOptions['fillGaps'],
): LiveDocument {
  const listed = listedHistories(summary, now);
  const leaving = leavingIn(listed);
  const fill = (): void => fillGaps(leaving);
  const isUnread = summary.synchronisedAt === null;
  const isBegun = summary.histories.some(({ reading }) => reading !== null);
  const practiceText = t('Invented data: the practice exchange fills this ledger by itself.');
  const beginning =
    isUnread && !isBegun ? noLedger(true).sections : [detailSection(summary, bytes, display)];
  const rowButtons = [
    { action: 'openAnalysis', label: t('Open Analysis') },
    { action: 'openReconciliation', label: t('Open Reconciliation') },
    { action: 'writeStatement', label: t('Write Monthly Statement…') },
  ] as const;
  return {
    ...emptyDocument(t('Ledger'), display, profile),
    buttons: [
      ...(isUnread && !isBegun ? [] : [downloadButton()]),
      ...(hasGaps(summary) || leaving.length > 0
        ? [{ action: 'fillGaps', label: t('Fill Gaps'), run: fill }]
        : []),
      ...(isUnread ? [] : rowButtons),
      { action: 'backUpLedger', label: t('Back Up…') },
      { action: 'deleteLedger', label: t('Delete…') },
    ],
    sections: [
      ...(profile.environment === 'practice'
        ? [{ title: '', notes: [practiceText], blocks: [] }]
        : []),
      ...beginning,
      ...(listed.length > 0
        ? [{ title: '', notes: listed.map((one) => listedText(one, display)), blocks: [] }]
        : []),
      ...mapSections(summary, display, now),
    ],
  };
}

function detailSection(
  { synchronisedAt, histories }: LedgerSummary,
  bytes: number,
  display: Display,
): Live<Section> {
  const rows = histories.reduce((sum, history) => sum + history.rows, 0);
  const unread = t('not yet: the first download has not ended');
  const time = synchronisedAt === null ? unread : display.timeToSecond(synchronisedAt);
  const items = [
    { label: t('Rows'), texts: [display.count(rows)] },
    { label: t('File'), texts: [sizeText(bytes, display)] },
    { label: t('Last synchronised'), texts: [time] },
  ];
  return { title: '', notes: [], blocks: [{ kind: 'details', items }] };
}

function sizeText(bytes: number, display: Display): string {
  const kib = Math.ceil(bytes / 1024);
  return kib < 10_240
    ? t('{0} KiB', display.count(kib))
    : t('{0} MiB', display.count(Math.round(kib / 1024)));
}

/** In whole months, of which the last one may not be over. None before the first read. */
function mapSections(
  { synchronisedAt, period, histories }: LedgerSummary,
  display: Display,
  now: number,
): Live<Section>[] {
  const known = union([period, ...histories.flatMap(({ walks }) => walks)]);
  if (known.length === 0 && synchronisedAt === null) return [];
  const from = known[0]?.from ?? period.to - 1;
  const months = monthsOf({ from, to: Math.max(now, from + 1) }, display.zone)
    .slice(0, mostMonths)
    .toReversed();
  const lines = histories.map((history) => mapLine(history, months, display, now));
  const drawn = new Set(
    lines.flatMap((line) => line.months.flatMap(({ parts }) => parts)).map(({ state }) => state),
  );
  const always: readonly MonthState[] = ['complete', 'drifted', 'unknown', 'neverRead'];
  const others = (['beingRead', 'ahead'] as const).filter((state) => drawn.has(state));
  const legend = [...always, ...others].map((state) => ({ state, label: stateWord(state) }));
  const title = t('Coverage by month');
  return [{ title, notes: [], blocks: [{ kind: 'map', legend, lines }] }];
}

function stateWord(state: MonthState): string {
  if (state === 'beingRead') return t('being read');
  return state === 'ahead' ? t('month not over yet') : coverageWord(state);
}

function mapLine(
  summary: HistorySummary,
  months: readonly Interval[],
  display: Display,
  now: number,
): MapLine {
  const { history, rows, readTo, reading, walks, parts } = summary;
  const gaps = readTo === null ? [] : parts.filter((part) => part.completeness !== 'complete');
  return {
    label: ledgerHistoryLabel(history),
    summary: [
      rowCountText(rows, display),
      ...(readTo === null && reading ? [] : [reachText(summary, display)]),
      ...(reading ? [readingText(reading)] : []),
    ].join(' · '),
    months: months.map((month) => monthOf(summary, month, now, display)),
    gaps: gaps.map((gap) => {
      const isBeingRead = gap.completeness === 'neverRead' && clip(walks, gap).length > 0;
      const reason =
        isBeingRead && reading ? readingText(reading) : gapReasonText(gap.completeness, gap.reason);
      return t('{0}: {1}', periodText(gap, display), reason);
    }),
  };
}

function monthOf(
  { history, reads, readTo, walks, reading }: HistorySummary,
  month: Interval,
  now: number,
  display: Display,
): MapMonth {
  // Its next rows are read soon.
  const end = readTo !== null && now - readTo <= longestUnreadMs ? readTo : now;
  const past = { from: month.from, to: Math.min(month.to, Math.max(month.from, end)) };
  const parts = coverageParts(history, reads, past).flatMap((part) => statesOf(part, walks));
  const complete = parts.filter(({ state }) => state === 'complete');
  const weakest = weakestFirst.find((state) => parts.some((part) => part.state === state));
  const isBeingRead = weakest === 'beingRead';
  const label = display.timeToSecond(month.from).slice(0, 'YYYY-MM'.length);
  const otherwise = !weakest || isBeingRead ? '' : coverageWord(weakest);
  const texts = [
    monthCoverageText(complete, month, now, display, otherwise),
    isBeingRead ? readingText(reading ?? 'running') : '',
  ].filter((text) => text !== '');
  const all = [...parts, { state: 'ahead' as const, from: past.to, to: month.to }];
  return {
    label,
    detail: t('{0}: {1}', label, texts.join(' · ')),
    parts: all
      .filter((part) => !isEmpty(part))
      // Rounded: the page is not drawn again for each moment.
      .map(({ state, from, to }) => ({
        state,
        share: Math.round(((to - from) / (month.to - month.from)) * 1000) / 1000,
      })),
  };
}

const weakestFirst = ['beingRead', 'neverRead', 'unknown', 'drifted', 'complete'] as const;

/** What is being read was not read before. */
function statesOf(
  { from, to, completeness }: CoveragePart,
  walks: readonly Interval[],
): readonly (Interval & { readonly state: MonthState })[] {
  const reading = completeness === 'neverRead' ? clip(walks, { from, to }) : [];
  return [
    ...reading.map((each) => ({ ...each, state: 'beingRead' as const })),
    ...subtract([{ from, to }], reading).map((each) => ({ ...each, state: completeness })),
  ].toSorted((one, other) => one.from - other.from);
}

function readingText(reading: 'running' | 'paused'): string {
  return reading === 'running' ? t('being read') : t('paused');
}

function reachText({ readTo, reads, parts }: HistorySummary, display: Display): string {
  if (readTo === null) return t('never read');
  const start = parts.findIndex(({ completeness }) => completeness === 'complete');
  const [from, to] = [display.timeToSecond(parts[start]?.from ?? 0), display.timeToSecond(readTo)];
  const isUnread = parts.slice(0, start).every((part) => part.completeness === 'neverRead');
  const isWhole = start >= 0 && isUnread && completeTo(parts.slice(start)) === readTo;
  if (!isWhole) return t('read to {0}, with gaps', to);
  // Earlier ones were read, too, or there are none.
  const hasAll = start === 0 && reads.some((read) => read.from === openStart);
  return hasAll ? t('complete to {0}', to) : t('complete from {0} to {1}', from, to);
}

function hasGaps({ histories }: LedgerSummary): boolean {
  return histories.some(
    ({ readTo, parts }) =>
      readTo !== null && parts.some(({ completeness }) => completeness !== 'complete'),
  );
}

function periodText({ from, to }: LedgerSummary['period'], display: Display): string {
  return `${display.timeToSecond(from)} – ${display.timeToSecond(to)}`;
}
