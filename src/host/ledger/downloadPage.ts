import { withoutLedger } from '../../account/ledger/ledgerSession.ts';
import type { AccountSession } from '../../account/session/accountSession.ts';
import type { Profile } from '../../account/session/profile.ts';
import { unknownText } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import { Emitter } from '../../base/emitter.ts';
import { hourMs } from '../../base/time.ts';
import { longestUnreadMs } from '../../ledger/coverage/coverageParts.ts';
import { ledgerHistoryNames, type LedgerHistory } from '../../ledger/ledger.ts';
import { LedgerError } from '../../ledger/ledgerError.ts';
import { Ledgers } from '../../ledger/ledgers.ts';
import {
  costOf,
  countRows,
  defaultHistories,
  downloadPeriods,
  planDownload,
  type DownloadCost,
  type DownloadPeriod,
  type DownloadPlan,
  type PlannedWalk,
  type PlanOptions,
} from '../../ledger/sync/downloadPlan.ts';
import type { Block, Cell, Choices } from '../../protocol/document.ts';
import { t } from '../shared/translate.ts';
import { errorText } from '../text/failureText.ts';
import { accountLabel } from '../text/messageText.ts';
import type { Live, LiveDocument } from '../webview/documentPanel.ts';
import { emptyDocument, noAccount, tableColumns } from '../webview/documentParts.ts';
import type { Documents, OpenDocuments } from '../webview/documents.ts';
import { accountTab } from '../webview/tab.ts';
import type { DownloadRuns } from './downloadRuns.ts';
import { ledgerFileText } from './ledgerQuestions.ts';
import { costText, ledgerHistoryLabel } from './ledgerText.ts';
import type { AccountLedger } from './openLedger.ts';
import type { ProfileLedgers } from './profileLedgers.ts';
import type { Services } from '../settings/services.ts';

/** What to read, of all histories. */
export type Plan = (options: PlanOptions) => Promise<DownloadPlan>;

type DownloadPageOptions = Pick<Services, 'active' | 'display'> & {
  readonly profileLedgers: ProfileLedgers;
  readonly shown: AccountLedger;
  readonly downloads: DownloadRuns;
  /** Starts a ledger if there is none, and reads what is planned, or what was begun before; reports its failures. */
  readonly start: (plan?: Plan) => void;
};

/** Each piece of a history that is counted takes a request. */
const mostCounted = 10;

/** The page that downloads the history of the account that is open. */
export class DownloadPage {
  private readonly options: DownloadPageOptions;
  readonly open: OpenDocuments;
  private readonly didChange = new Emitter<void>();
  private period: DownloadPeriod = 'days90';
  private histories: ReadonlySet<LedgerHistory> = new Set(defaultHistories);
  /** What another page asks for, in place of a period. */
  private gaps: Plan | undefined;
  /** Counting takes requests: only after a person opened the page or chose something, of the account that is open. */
  private mayCount = false;
  /** Rows by account and walk; undefined while they are counted, or if they cannot be. */
  private readonly counts = new Map<string, number | undefined>();

  constructor(documents: Documents, options: DownloadPageOptions) {
    const { active, shown, downloads } = options;
    this.options = options;
    const source = {
      tab: () => accountTab(t('Download history'), active),
      document: this.document,
      changes: [
        ...[active.onDidSwitch, shown.onDidChange, shown.onDidWrite],
        ...[downloads.onDidChange, this.didChange.event],
      ],
    };
    this.open = documents.add({ name: 'download', source: () => source });
  }

  show(gaps?: Plan): void {
    this.choose(gaps);
    this.mayCount = true;
    this.open.show();
  }

  /** Without `gaps`, the usual choices: what was asked for is of the account that was open. */
  choose(gaps?: Plan): void {
    this.gaps = gaps;
    this.mayCount = false;
    this.histories = new Set(gaps ? ledgerHistoryNames : defaultHistories);
    this.didChange.fire();
  }

  private readonly document = async (choices: Choices | null): Promise<LiveDocument> => {
    const { active, display, profileLedgers, downloads } = this.options;
    const period = periodNames.find((name) => name === choices?.period) ?? this.period;
    this.mayCount ||= period !== this.period;
    this.period = period;
    if (active.state.kind !== 'open') return { ...emptyPage(display.latest()), ...noAccount() };
    const { session } = active.state;
    const ledger = profileLedgers.open;
    const empty = emptyPage(display.latest(), session.profile);
    const progress = ledger && downloads.progress(ledger);
    if (progress !== undefined) {
      const run = (): unknown => ledger?.download.pause();
      const button = { action: 'pause', label: t('Pause'), run };
      const texts = [progress];
      const notice: Live<Block> = { kind: 'notice', tone: 'information', texts, button };
      return { ...empty, sections: [{ title: '', notes: [], blocks: [notice] }] };
    }
    try {
      if (!Ledgers.isSupported()) throw new LedgerError('unsupported');
      const isPaused = (await ledger?.download.isUnfinished()) ?? false;
      const offer = await this.offer(session, ledger);
      return downloadDocument(session.profile, { ...offer, isPaused }, display.latest());
    } catch (error) {
      return { ...empty, notes: [errorText(error, display.latest())] };
    }
  };

  private async offer(
    session: AccountSession,
    ledger: PlanOptions | undefined,
  ): Promise<Omit<DownloadOffer, 'isPaused'>> {
    const { gaps, period, histories: chosen, options } = this;
    const { fingerprint } = session;
    const { baseUrl } = session.profile;
    const account = ledger ?? withoutLedger(session);
    const plan: Plan = (of) =>
      gaps ? gaps(of) : planDownload(of, { period, histories: ledgerHistoryNames });
    const { asOf, walks, begun } = await plan(account);
    // The newest rows are read soon.
    const left = walks.filter(({ from }) => gaps !== undefined || asOf - from > longestUnreadMs);
    const keyOf = ({ history, from, to }: PlannedWalk): string =>
      [baseUrl, fingerprint, history, ...[from, to].map((at) => Math.floor(at / hourMs))].join(' ');
    const count = async (walk: PlannedWalk): Promise<void> => {
      this.counts.set(keyOf(walk), undefined);
      this.counts.set(keyOf(walk), await countRows(account, walk).catch(() => undefined));
    };
    const isNew = (walk: PlannedWalk): boolean =>
      chosen.has(walk.history) && !this.counts.has(keyOf(walk));
    const uncounted = this.mayCount && left.length <= mostCounted ? left.filter(isNew) : [];
    for (const walk of uncounted) void count(walk).then(this.didChange.fire);
    return {
      ...{ chosen, hasLedger: ledger !== undefined, isBegun: begun.length > 0 },
      period: gaps ? undefined : period,
      costOf: (histories) => {
        const own = left.filter(({ history }) => histories.has(history));
        return costOf(own, account, (walk) => this.counts.get(keyOf(walk)));
      },
      toggle: (history) => {
        // Of two presses in a row, the second may come from the page as it was before the first.
        this.histories = new Set(
          ledgerHistoryNames.filter((each) => this.histories.has(each) !== (each === history)),
        );
        this.mayCount = true;
        this.didChange.fire();
      },
      download: () =>
        options.start(async (of) => {
          const { histories } = this;
          const planned = await plan(of);
          const walks = planned.walks.filter(({ history }) => histories.has(history));
          return { ...planned, walks };
        }),
      resume: () => options.start(),
    };
  }
}

/** What can be downloaded, what it takes, and what the buttons do. */
export type DownloadOffer = {
  readonly hasLedger: boolean;
  /** A download was begun, and this window does not run it. */
  readonly isPaused: boolean;
  /** A part of it is being read, or was begun. */
  readonly isBegun: boolean;
  /** Undefined: what another page asked for. */
  readonly period: DownloadPeriod | undefined;
  readonly chosen: ReadonlySet<LedgerHistory>;
  readonly costOf: (histories: ReadonlySet<LedgerHistory>) => DownloadCost;
  readonly toggle: (history: LedgerHistory) => void;
  readonly download: () => void;
  readonly resume: () => void;
};

const periodNames = Object.keys(downloadPeriods) as DownloadPeriod[];

function emptyPage(display: Display, profile?: Profile): LiveDocument {
  return emptyDocument(t('Download history'), display, profile);
}

/** Period, histories with their rows, what they take, and one button. */
export function downloadDocument(
  profile: Profile,
  offer: DownloadOffer,
  display: Display,
): LiveDocument {
  const { period, isPaused, resume } = offer;
  const labels = { days90: t('90 Days'), year: t('1 Year'), everything: t('Everything') };
  const options = periodNames.map((value) => ({ value, label: labels[value] }));
  const title = t('Histories');
  const table = {
    ...({ kind: 'table', title, notes: [] } as const),
    columns: tableColumns([t('History')], [t('Rows to read'), t('Requests')]),
    rows: ledgerHistoryNames.map((history) => historyRow(history, offer, display)),
  };
  return {
    ...emptyPage(display, profile),
    notes: isPaused ? [t('A download is not finished. What it read is stored.')] : [],
    buttons: isPaused ? [{ action: 'resume', label: t('Resume'), run: resume }] : [],
    ...(period && {
      choices: [{ kind: 'tabs', name: 'period', label: t('Period'), options }],
      chosen: { period },
    }),
    sections: [
      { title: period ? title : t('Gaps'), notes: [], blocks: [table] },
      { title: '', notes: [], blocks: [startNotice(profile, offer, display)] },
    ],
  };
}

function historyRow(
  history: LedgerHistory,
  { chosen, costOf: costOfHistories, toggle }: DownloadOffer,
  display: Display,
): Live<Cell>[] {
  const { isCounted, rows, pages } = costOfHistories(new Set([history]));
  const count = display.count(pages);
  const button = {
    ...{ action: `history ${history}`, label: ledgerHistoryLabel(history) },
    isChosen: chosen.has(history),
    run: () => toggle(history),
  };
  return [
    { text: '', button },
    { text: isCounted ? display.count(rows) : unknownText },
    { text: isCounted ? count : t('at least {0}', count) },
  ];
}

/** What the download takes and keeps, and the button that starts it. */
function startNotice(
  profile: Profile,
  { hasLedger, isBegun, chosen, costOf: costOfHistories, download }: DownloadOffer,
  display: Display,
): Live<Block> {
  const cost = costOfHistories(chosen);
  const notice = { kind: 'notice', tone: 'plain' } as const;
  if (chosen.size === 0) return { ...notice, texts: [t('Choose a history.')] };
  if (cost.pages === 0)
    return {
      ...notice,
      texts: [isBegun ? t('Reading of these rows has started.') : t('The ledger has all of it.')],
      button: { action: 'openAnalysis', label: t('Open Analysis') },
    };
  const isAsked = !hasLedger && profile.environment !== 'practice';
  const consent = t('Download keeps the history of {0} on this machine.', accountLabel(profile));
  const background = t(
    'Other requests go first. You can pause it; it continues when the account is open, also after a reload.',
  );
  return {
    ...notice,
    texts: [costText(cost, display), background, ...(isAsked ? [consent, ledgerFileText()] : [])],
    button: { action: 'download', label: t('Download'), run: download },
  };
}
