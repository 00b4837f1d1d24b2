import { l10n } from 'vscode';
import { originOf, type Profile } from '../../account/session/profile.ts';
import { cleanText } from '../../base/cleanText.ts';
import { unknownText, difference, type NumberText } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import type { IdentityReport, SubjectReport, IdentityName, Interval } from '../../ledger/ledger.ts';
import {
  firstContradictions,
  type NamedContradiction,
} from '../../ledger/reconciliation/contradictions.ts';
import type {
  ReconciliationDocument,
  ReconciliationLine,
  ReconciliationSection,
  RowPlace,
} from '../../protocol/reconciliationMessages.ts';
import { errorText } from '../text/failureText.ts';
import { pageAccount } from '../text/pageAccount.ts';
import type { ReconciliationState } from './accountReconciliation.ts';
import { candidateTexts } from './candidateText.ts';
import type { CheckedContradiction } from './contradictionMemory.ts';
import { identityTexts, readingText, remainderFields } from './identityText.ts';
import { verdictCountTexts, verdictNotes, verdictWord } from './verdictText.ts';
import type { DocumentTable, Label } from '../../protocol/documentTable.ts';

type Computed = Extract<ReconciliationState, { kind: 'computed' }>;

/** The reconciliation of a profile's ledger; undefined if no account is open. */
export function reconciliationDocument(
  profile: Profile | undefined,
  state: ReconciliationState,
  display: Display,
): ReconciliationDocument {
  const { t } = l10n;
  return {
    title: t('Reconciliation'),
    account: profile ? pageAccount(profile, originOf(profile)) : null,
    time: timeText(state, display),
    notes: profile ? notesOf(state, display) : [t('No account is open.')],
    sections:
      profile && state.kind === 'computed'
        ? state.report
            .map((report, section) => sectionOf(report, section, state, display))
            .toSorted((one, other) => rankOfSection(one) - rankOfSection(other))
        : [],
    remainderLabel: t('Remainder'),
    candidatesLabel: t('What may be wrong, the likeliest first'),
    refresh: t('Refresh'),
    hiddenWord: t('hidden'),
  };
}

function timeText(state: ReconciliationState, display: Display): string {
  if (state.kind === 'noLedger' || state.kind === 'failed') return '';
  if (state.kind !== 'computed' || state.status === 'computing')
    return l10n.t('Comparing the records…');
  const counts = verdictCountTexts(state.report, display).map(({ text }) => text);
  const time = l10n.t('Computed on {0}.', display.timeToSecond(String(state.computedAt)));
  return `${time} ${counts.join(' · ')}`;
}

function notesOf(state: ReconciliationState, display: Display): string[] {
  const { t } = l10n;
  if (state.kind === 'noLedger')
    return [t('This account has no ledger. Download its history to start one.')];
  if (state.kind === 'failed') return [errorText(state.error, display)];
  if (state.kind === 'computed' && state.status === 'outdated')
    return [t('The ledger has changed since. Refresh to compare it again.')];
  return [];
}

function sectionOf(
  report: IdentityReport,
  section: number,
  state: Computed,
  display: Display,
): ReconciliationSection {
  const { identity, reading, applicability, held, failed, subjects } = report;
  const { t } = l10n;
  const { title, meaning } = identityTexts(identity);
  const learned = applicability === 'applies' ? readingText(identity, reading) : undefined;
  const undecided = undecidedSentence(report, display);
  const evidence = t(
    'Comparisons that held on this exchange: {0}; that failed: {1}.',
    display.count(held),
    display.count(failed),
  );
  return {
    title,
    notes: [
      meaning,
      ...(learned === undefined ? [] : [learned]),
      evidence,
      ...(subjects.length === 0 ? [t('There is nothing to compare yet.')] : []),
      ...(undecided === undefined ? [] : [t('Undecided: {0}', undecided)]),
    ],
    lines: subjects
      .map((subject, line) =>
        lineOf(report, subject, { section, line, saidAbove: undecided }, state, display),
      )
      .toSorted((one, other) => rankOf(one) - rankOf(other)),
  };
}

function rankOfSection({ lines }: ReconciliationSection): number {
  return Math.min(1, ...lines.map(rankOf));
}

/** Why several lines are undecided, if it is the same for all: said once, above them. */
function undecidedSentence(report: IdentityReport, display: Display): string | undefined {
  const undecided = report.subjects.filter(({ verdict }) => verdict === 'undecided');
  const sentences = undecided.flatMap((subject) => verdictNotes(report, subject, display));
  return undecided.length > 1 && new Set(sentences).size === 1 ? sentences[0] : undefined;
}

/** What is contradicted comes first. */
function rankOf({ state }: ReconciliationLine): number {
  return state === 'contradicted' ? 0 : 1;
}

/** `saidAbove` is a sentence that the section has for all its lines. */
type LinePlace = Pick<RowPlace, 'section' | 'line'> & { readonly saidAbove: string | undefined };

function lineOf(
  report: IdentityReport,
  subject: SubjectReport,
  { saidAbove, ...place }: LinePlace,
  state: Computed,
  display: Display,
): ReconciliationLine {
  const { identity, histories } = report;
  const { verdict, contradictions, rounded } = subject;
  const remainder = contradictions[0]?.remainder ?? rounded;
  const shown = display.full(remainderFields[identity], remainder);
  const isOfLine = (each: NamedContradiction): boolean =>
    each.identity === identity && each.subject === subject.subject;
  const isReading = state.reading.some(isOfLine);
  const [first] = firstContradictions(state.report);
  const isFirst = first !== undefined && isOfLine(first);
  // The page says what may be wrong only after the interval was read again.
  const candidates = isReading ? [] : subject.candidates;
  const context = { identity, histories, remainder, display };
  const { computedAt } = state;
  return {
    label: cleanText(subject.subject),
    state: verdict,
    word: verdictWord(verdict),
    remainder: verdict === 'undecided' ? unknownText : shown,
    notes: [
      ...verdictNotes(report, subject, display).filter((note) => note !== saidAbove),
      ...readAgainNotes(isReading, state.checked.find(isOfLine), display),
    ],
    candidates: candidates.map((each, candidate) =>
      candidateTexts(each, { ...context, place: { ...place, computedAt, candidate } }),
    ),
    intervals: intervalTable(identity, subject, isFirst, display),
  };
}

function readAgainNotes(
  isReading: boolean,
  checked: CheckedContradiction | undefined,
  display: Display,
): string[] {
  const { t } = l10n;
  if (isReading) return [t('This interval is being read again from the exchange…')];
  const readAt = checked?.readAt ?? null;
  if (readAt === null) return [];
  return [t('Read again at {0}: still contradicted.', display.timeToSecond(String(readAt)))];
}

/** How many contradictions without checkpoints are listed. */
const mostContradictions = 30;

/** What was compared in each interval, the contradicted ones first, then the newest; null if nothing was. The page opens it at first if `isOpen`. */
function intervalTable(
  identity: IdentityName,
  subject: SubjectReport,
  isOpen: boolean,
  display: Display,
): ReconciliationLine['intervals'] {
  const { intervals, contradictions } = subject;
  if (intervals.length > 0) return { ...checkpointTable(identity, subject, display), isOpen };
  return contradictions.length > 1
    ? { ...contradictionTable(identity, subject, display), isOpen }
    : null;
}

function checkpointTable(
  identity: IdentityName,
  { intervals, intervalCount }: SubjectReport,
  display: Display,
): DocumentTable {
  const { t } = l10n;
  const shown = display.count(intervals.length);
  const figure = (value: NumberText): Label => ({
    text: display.full(remainderFields[identity], value),
  });
  return {
    title: t('Checkpoints and intervals: {0}', display.count(intervalCount)),
    notes: [
      t('Intervals in which nothing changed are left out.'),
      ...(intervalCount > intervals.length
        ? [t('{0} are shown: the first contradicted ones and the newest others.', shown)]
        : []),
    ],
    columns: [
      { label: t('From'), isNumeric: false },
      { label: t('To'), isNumeric: false },
      { label: identity === 'deposited' ? t('Deposited') : t('Amount'), isNumeric: true },
      { label: t('Change'), isNumeric: true },
      { label: t('Sum of its rows'), isNumeric: true },
      { label: t('Remainder'), isNumeric: true },
    ],
    rows: intervals
      .toReversed()
      .toSorted((one, other) => intervalRank(one) - intervalRank(other))
      .map(({ figure: after, change, remainder, isContradicted, ...interval }) => [
        ...timeLabels(interval, display),
        figure(after),
        figure(change),
        figure(difference(change, remainder)),
        { ...figure(remainder), ...(isContradicted ? { tone: 'loss' as const } : {}) },
      ]),
  };
}

function intervalRank({ isContradicted }: SubjectReport['intervals'][number]): number {
  return isContradicted ? 0 : 1;
}

function contradictionTable(
  identity: IdentityName,
  { contradictions }: SubjectReport,
  display: Display,
): DocumentTable {
  const { t } = l10n;
  const listed = contradictions.slice(0, mostContradictions);
  return {
    title: t('Contradictions: {0}', display.count(contradictions.length)),
    notes:
      listed.length < contradictions.length
        ? [t('The first {0} are shown.', display.count(listed.length))]
        : [],
    columns: [
      { label: t('From'), isNumeric: false },
      { label: t('To'), isNumeric: false },
      { label: t('Order or transfer'), isNumeric: false },
      { label: t('Remainder'), isNumeric: true },
    ],
    rows: listed.map(({ key, remainder, ...interval }) => [
      ...timeLabels(interval, display),
      { text: key === null ? unknownText : cleanText(key) },
      { text: display.full(remainderFields[identity], remainder), tone: 'loss' as const },
    ]),
  };
}

function timeLabels({ from, to }: Interval, display: Display): Label[] {
  return [from, to].map((time) => ({
    text: display.time(String(time)),
    detail: display.timeInBothZones(String(time)),
  }));
}
