import { openStart, union, type Interval } from '../../base/interval.ts';
import type { Profile } from '../../account/session/profile.ts';
import { cleanText } from '../../base/cleanText.ts';
import { unknownText, difference, type NumberText } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import type { IdentityReport, SubjectReport, IdentityName } from '../../ledger/ledger.ts';
import { systemClock } from '../../base/time.ts';
import {
  firstContradictions,
  type NamedContradiction,
} from '../../ledger/reconciliation/contradictions.ts';
import type { Block, Check, DocumentTable, Label, Section } from '../../protocol/document.ts';
import type { FeatureContext } from '../feature/context.ts';
import type { AccountLedger } from '../ledger/openLedger.ts';
import { settingValue } from '../settings/settingValues.ts';
import { commands } from '../shared/contributions.ts';
import { logRejection } from '../shared/log.ts';
import { t } from '../shared/translate.ts';
import { errorText } from '../text/failureText.ts';
import { lengthText } from '../text/partOfPeriodText.ts';
import type { Live, LiveDocument } from '../webview/documentPanel.ts';
import {
  downloadButton,
  emptyDocument,
  emptyNotice,
  noAccount,
  noLedger,
  tableColumns,
} from '../webview/documentParts.ts';
import { accountTab } from '../webview/tab.ts';
import { AccountReconciliation, type ReconciliationState } from './accountReconciliation.ts';
import { ContradictionMemory, showContradictions } from './contradictionMemory.ts';
import { candidateFinding } from './candidateText.ts';
import {
  identityLook,
  readAgainNotes,
  undecidedTexts,
  verdictCountTexts,
  verdictNotes,
  verdictLook,
} from './verdictText.ts';
import type { StoredRows } from './storedRows.ts';

/** The reconciliation of the account that is open, its alerts and its page. */
export function registerReconciliation(
  { active, display, log, documents, globalState, add }: FeatureContext,
  ledger: AccountLedger,
  showStored: ReconciliationActions['show'],
) {
  const reconciliation = add(
    new AccountReconciliation({
      ledger,
      log,
      memory: new ContradictionMemory(globalState),
      clock: systemClock,
      isShown: () => page.visible,
      mayRead: () => settingValue('marginDesk.ledger.keepCurrent'),
      alert: (contradictions) =>
        logRejection(log, 'showing an alert', showContradictions(active, contradictions)),
    }),
  );
  const actions = { refresh: () => reconciliation.compute(), show: showStored };
  const document = (): LiveDocument => {
    const profile = active.state.kind === 'open' ? active.state.session.profile : undefined;
    return reconciliationDocument(profile, reconciliation.state, display.latest(), actions);
  };
  const source = {
    tab: () => accountTab(t('Reconciliation'), active),
    document,
    opened: () => reconciliation.want(),
    changes: [active.onDidChange, reconciliation.onDidChange],
  };
  const page = documents.add({ name: 'reconciliation', source: () => source });
  return {
    current: reconciliation,
    commands: { [commands.openReconciliation]: () => void page.show() },
  };
}

/** What the buttons of a reconciliation do. */
type ReconciliationActions = {
  readonly refresh: () => void;
  /** Opens the panel of rows of the ledger. */
  readonly show: (rows: StoredRows) => void;
};

type Computed = Extract<ReconciliationState, { kind: 'computed' }>;

/** What is shown, and how. */
type Context = {
  readonly state: Computed;
  readonly display: Display;
  readonly show: ReconciliationActions['show'];
};

/** The reconciliation of a profile's ledger; undefined if no account is open. */
export function reconciliationDocument(
  profile: Profile | undefined,
  state: ReconciliationState,
  display: Display,
  { refresh, show }: ReconciliationActions,
): LiveDocument {
  const empty = emptyDocument(t('Reconciliation'), display, profile);
  if (!profile) return { ...empty, ...noAccount() };
  if (state.kind === 'noLedger') return { ...empty, ...noLedger() };
  if (state.kind === 'failed') {
    const button = { action: 'compareAgain', label: t('Compare Again'), run: refresh };
    return { ...empty, notes: [errorText(state.error, display)], buttons: [button] };
  }
  return {
    ...empty,
    time: { text: timeText(state, display) },
    sections: state.kind === 'computed' ? sectionsOf({ state, display, show }) : [],
  };
}

/** What is proved in a sentence, then each topic that has a verdict, then a line for each that has none. */
function sectionsOf(context: Context): Live<Section>[] {
  const { report } = context.state;
  const isDecided = ({ subjects }: IdentityReport): boolean => subjects.some(hasVerdict);
  const decided = report.filter(isDecided);
  const items = report
    .filter((each) => !isDecided(each))
    .map((each) =>
      openLine(identityLook(each.identity).title, each, each.subjects, context.display),
    );
  const title = t('Undecided');
  return [
    { title: '', notes: [], blocks: [provedNotice(decided, context.display)] },
    ...contradictedFirst(decided, ({ subjects }) => subjects.some(isContradicted)).map((each) =>
      sectionOf(each, context),
    ),
    ...(items.length === 0 ? [] : [{ title, notes: [], blocks: [checklist(items)] }]),
  ];
}

function checklist(items: Live<Check>[]): Live<Block> {
  return { kind: 'checklist', items };
}

function hasVerdict({ verdict }: SubjectReport): boolean {
  return verdict !== 'undecided';
}

/** How many comparisons of each topic agree, and over how much time; without any, what is needed. */
function provedNotice(decided: readonly IdentityReport[], display: Display): Live<Block> {
  const proved = decided.flatMap(({ identity, covered, subjects }) => {
    const own = subjects.filter(({ verdict }) => verdict === 'proved');
    if (own.length === 0) return [];
    const held = own.reduce((sum, subject) => sum + subject.held, 0);
    const periods = own.flatMap((subject) => subject.periods);
    const spans = union(periods.length > 0 ? periods : covered);
    const { title } = identityLook(identity);
    return [t('{0} {1} over {2}', title, display.count(held), spansText(spans, display))];
  });
  const none = t('Nothing is proved yet: the ledger has too few rows of this account.');
  if (decided.length === 0) return emptyNotice(none, downloadButton());
  const text = proved.length > 0 ? t('Proved: {0}.', proved.join(' · ')) : t('Nothing is proved.');
  return { kind: 'notice', tone: 'plain', texts: [text] };
}

/** Their length; of records from the first one on, only where they end. */
function spansText(spans: readonly Interval[], display: Display): string {
  const [first] = spans;
  return first?.from === openStart
    ? t('all records to {0}', display.timeToSecond(first.to))
    : lengthText(spans, display);
}

/** What is undecided, and why, in one line. */
function openLine(
  label: string,
  report: IdentityReport,
  subjects: readonly SubjectReport[],
  display: Display,
): Live<Check> {
  const word = undecidedTexts(report, subjects, display).join(' ');
  return { ...verdictLook('undecided'), label, word, texts: [] };
}

function timeText(state: ReconciliationState, display: Display): string {
  if (state.kind !== 'computed' || state.status === 'computing') return t('Comparing the records…');
  const counts = verdictCountTexts(state.report, display).map(({ text }) => text);
  const time = t('Computed on {0}.', display.timeToSecond(state.computedAt));
  const since = t('The ledger has changed since and is compared again soon.');
  const text = `${time} ${counts.join(' · ')}`;
  return state.status === 'outdated' ? `${text} · ${since}` : text;
}

function sectionOf(report: IdentityReport, context: Context): Live<Section> {
  const { identity, reading, applicability, subjects } = report;
  const { display } = context;
  const { title, meaning, readings } = identityLook(identity);
  const learned = applicability === 'applies' ? readings?.[reading] : undefined;
  const items = contradictedFirst(subjects.filter(hasVerdict), isContradicted).map(
    (subject, line) => checkOf(report, subject, { ...context, line }),
  );
  const open = subjects.filter((subject) => !hasVerdict(subject));
  const names = open.map(({ subject }) => cleanText(subject)).join(', ');
  return {
    title,
    notes: [meaning, ...(learned === undefined ? [] : [learned])],
    blocks: [
      checklist(open.length === 0 ? items : [...items, openLine(names, report, open, display)]),
    ],
  };
}

function contradictedFirst<Item>(
  items: readonly Item[],
  isContradicted: (item: Item) => boolean,
): readonly Item[] {
  const rankOf = (item: Item): number => (isContradicted(item) ? 0 : 1);
  return items.toSorted((one, other) => rankOf(one) - rankOf(other));
}

function isContradicted({ verdict }: SubjectReport): boolean {
  return verdict === 'contradicted';
}

type LineContext = Context & { readonly line: number };

function checkOf(
  report: IdentityReport,
  subject: SubjectReport,
  context: LineContext,
): Live<Check> {
  const { state, display } = context;
  const { identity } = report;
  const { verdict, contradictions, rounded } = subject;
  const remainder = contradictions[0]?.remainder ?? rounded;
  const shown = display.full(identityLook(identity).remainder, remainder);
  const isOfLine = (each: NamedContradiction): boolean =>
    each.identity === identity && each.subject === subject.subject;
  const isReading = state.reading.some(isOfLine);
  const isFirst = firstContradictions(state.report).findIndex(isOfLine) === 0;
  const table = intervalTable(identity, subject, display);
  return {
    label: cleanText(subject.subject),
    ...verdictLook(verdict),
    figure: { label: t('Remainder'), text: shown },
    texts: [
      ...verdictNotes(report.identity, subject, display),
      ...readAgainNotes(isReading, state.checked.find(isOfLine), display),
    ],
    // Only after the interval was read again.
    ...(!isReading && findingsOf(report, subject, context)),
    ...(table && { table: { ...table, isOpen: isFirst } }),
  };
}

/** What may be wrong, with the rows behind it. */
function findingsOf(
  { identity, histories }: IdentityReport,
  { subject, contradictions: [contradiction], candidates }: SubjectReport,
  { state, display, show, line }: LineContext,
): Pick<Live<Check>, 'findings'> {
  if (!contradiction || candidates.length === 0) return {};
  const context = { identity, histories, subject, contradiction, display, show };
  const place = `${state.computedAt} ${identity} ${line}`;
  const list = candidates.map((each, index) =>
    candidateFinding(each, { ...context, place: `${place} ${index}` }),
  );
  return { findings: { label: t('What may be wrong, the likeliest first'), list } };
}

/** What was compared in each interval, the contradicted ones first, then the newest. */
function intervalTable(
  identity: IdentityName,
  subject: SubjectReport,
  display: Display,
): Live<DocumentTable> | undefined {
  const { intervals, contradictions } = subject;
  if (intervals.length > 0) return checkpointTable(identity, subject, display);
  return contradictions.length > 1 ? contradictionTable(identity, subject, display) : undefined;
}

function checkpointTable(
  identity: IdentityName,
  { intervals, intervalCount }: SubjectReport,
  display: Display,
): Live<DocumentTable> {
  const shown = display.count(intervals.length);
  const figure = (value: NumberText): Label => ({
    text: display.full(identityLook(identity).remainder, value),
  });
  return {
    title: t('Checkpoints and intervals: {0}', display.count(intervalCount)),
    notes: [
      t('Intervals in which nothing changed are left out.'),
      ...(intervalCount > intervals.length
        ? [t('{0} are shown: the first contradicted ones and the newest others.', shown)]
        : []),
    ],
    columns: tableColumns(
      [t('From'), t('To')],
      [
        identity === 'deposited' ? t('Deposited') : t('Amount'),
        ...[t('Change'), t('Sum of its rows'), t('Remainder')],
      ],
    ),
    rows: contradictedFirst(intervals.toReversed(), (interval) => interval.isContradicted).map(
      ({ figure: after, change, remainder, isContradicted: isLoss, ...interval }) => [
        ...timeLabels(interval, display),
        figure(after),
        figure(change),
        figure(difference(change, remainder)),
        { ...figure(remainder), ...(isLoss && { tone: 'loss' as const }) },
      ],
    ),
  };
}

/** How many contradictions without checkpoints are listed. */
const mostContradictions = 30;

function contradictionTable(
  identity: IdentityName,
  { contradictions }: SubjectReport,
  display: Display,
): Live<DocumentTable> {
  const listed = contradictions.slice(0, mostContradictions);
  return {
    title: t('Contradictions: {0}', display.count(contradictions.length)),
    notes:
      listed.length < contradictions.length
        ? [t('The first {0} are shown.', display.count(listed.length))]
        : [],
    columns: tableColumns([t('From'), t('To'), t('Order or transfer')], [t('Remainder')]),
    rows: listed.map(({ key, remainder, ...interval }) => [
      ...timeLabels(interval, display),
      { text: key === null ? unknownText : cleanText(key) },
      { text: display.full(identityLook(identity).remainder, remainder), tone: 'loss' as const },
    ]),
  };
}

function timeLabels({ from, to }: Interval, display: Display): Label[] {
  return [from, to].map((time) => ({
    text: display.time(time),
    detail: display.timeInBothZones(time),
  }));
}
