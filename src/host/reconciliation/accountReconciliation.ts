import type { Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import { minuteMs, secondMs, type Clock } from '../../base/time.ts';
import type { ReconciliationReport } from '../../ledger/ledger.ts';
import {
  firstContradictions,
  type NamedContradiction,
  allContradictions,
  isSameContradiction,
  periodsOf,
} from '../../ledger/reconciliation/contradictions.ts';
import type { AccountLedger, OpenLedger } from '../ledger/openLedger.ts';
import type { Log } from '../shared/log.ts';
import type { CheckedContradiction, ContradictionMemory } from './contradictionMemory.ts';
import { LedgerError } from '../../ledger/ledgerError.ts';
import { Followed } from '../webview/followed.ts';

/** What is known of the reconciliation of the account that is open. */
export type ReconciliationState =
  | { readonly kind: 'noLedger' }
  /** Nobody wanted to see it yet. */
  | { readonly kind: 'waiting' }
  | { readonly kind: 'computing' }
  | { readonly kind: 'failed'; readonly error: unknown }
  | {
      readonly kind: 'computed';
      readonly report: ReconciliationReport;
      /** In epoch milliseconds of the exchange’s clock. */
      readonly computedAt: number;
      /** Outdated: rows or periods were read since. */
      readonly status: 'current' | 'outdated' | 'computing';
      /** The contradictions whose intervals are being read again. */
      readonly reading: readonly NamedContradiction[];
      /** The first one of each asset or symbol, if it was alerted before and is still there. */
      readonly checked: readonly CheckedContradiction[];
    };

type AccountReconciliationOptions = {
  readonly ledger: AccountLedger;
  readonly memory: ContradictionMemory;
  readonly clock: Clock;
  /** What is shown of records has times of the exchange’s clock. In epoch milliseconds. */
  readonly serverNow: () => number;
  readonly log: Log;
  /** Whether a page shows it now, which then follows the ledger. */
  readonly isShown: () => boolean;
  /** Whether the exchange may be asked in the background. */
  readonly mayRead: () => boolean;
  /** Shows an alert about contradictions that were not there before. */
  readonly alert: (contradictions: readonly NamedContradiction[]) => void;
};

/** Rows come in bursts. */
const settleMs = 5 * secondMs;
/** A comparison of a million rows takes seconds of a processor. */
const shortestPauseMs = 10 * minuteMs;
const shownPauseMs = 20 * secondMs;

/**
 * The reconciliation of the account that is open. It is computed when a page shows it, and after rows were read:
 * soon while a page shows it, otherwise some time later. The interval of a contradiction is read again once before
 * it is believed.
 */
export class AccountReconciliation implements Disposable {
  private readonly options: AccountReconciliationOptions;
  private readonly didChange = new Emitter<void>();
  readonly onDidChange: Event<void> = this.didChange.event;
  private readonly followed: Followed<CheckResult | undefined>;
  private readonly shownListener: Disposable;
  private ledgerListener: Disposable | undefined;
  private current: ReconciliationState = { kind: 'noLedger' };
  private isWanted = false;

  constructor(options: AccountReconciliationOptions) {
    const { ledger, clock, log } = options;
    this.options = options;
    this.followed = new Followed({
      compute: async (signal) => ledger.current && this.compare(ledger.current, signal),
      show: (result) => result && this.showResult(result),
      fail: (error) => {
        log.failure('the reconciliation', error);
        this.show({ kind: 'failed', error });
      },
      delayMs: settleMs,
      restMs: () => (options.isShown() ? shownPauseMs : shortestPauseMs),
      clock,
    });
    this.shownListener = ledger.onDidChange(() => this.follow());
    this.follow();
  }

  get state(): ReconciliationState {
    return this.current;
  }

  /** A page shows it, from now on: what is outdated is compared again. */
  want(): void {
    this.isWanted = true;
    const { current } = this;
    const isOutdated = current.kind === 'computed' && current.status === 'outdated';
    if (current.kind === 'waiting' || isOutdated) this.compute();
  }

  /** Compares the records of the ledger now, unless they are being compared. */
  compute(): void {
    if (!this.options.ledger.current || this.isComparing) return;
    this.showComputing();
    void this.followed.update();
  }

  dispose(): void {
    this.followed.dispose();
    this.shownListener.dispose();
    this.ledgerListener?.dispose();
    this.didChange.dispose();
  }

  private get isComparing(): boolean {
    const { current } = this;
    if (current.kind !== 'computed') return current.kind === 'computing';
    return current.status === 'computing' || current.reading.length > 0;
  }

  /** What was computed of a ledger that is no longer open is not shown. */
  private follow(): void {
    const ledger = this.options.ledger.current;
    this.followed.stop();
    this.ledgerListener?.dispose();
    this.ledgerListener = ledger?.onDidChange(() => this.onLedgerChange());
    this.show({ kind: ledger ? 'waiting' : 'noLedger' });
    if (this.isWanted) this.compute();
  }

  private onLedgerChange(): void {
    if (this.current.kind === 'computed' && this.current.status === 'current')
      this.show({ ...this.current, status: 'outdated' });
    this.followed.change();
  }

  /** Believes a contradiction that was not there before only after its interval was read again. */
  private async compare(ledger: OpenLedger, signal: AbortSignal): Promise<CheckResult> {
    this.showComputing();
    const report = await ledger.reader.reconcile();
    signal.throwIfAborted();
    const isRead = this.options.mayRead();
    const due = await dueContradictions(this.options, ledger, report, isRead);
    signal.throwIfAborted();
    const unchecked = { ledger, report, alerted: [] };
    if (due.length === 0) return unchecked;
    if (isRead) this.showReport(ledger, report, due);
    try {
      if (isRead) return await readAgain(this.options, ledger, report, due);
      return await remember(this.options.memory, ledger, report, due, null);
    } catch (error) {
      // The exchange could not be read: the next comparison tries again.
      if (!signal.aborted) this.options.log.failure('reading an interval again', error);
      return unchecked;
    }
  }

  private showComputing(): void {
    const { current } = this;
    this.show(
      current.kind === 'computed' ? { ...current, status: 'computing' } : { kind: 'computing' },
    );
  }

  private showResult({ ledger, report, alerted }: CheckResult): void {
    this.showReport(ledger, report);
    if (alerted.length > 0) this.options.alert(alerted);
  }

  private showReport(
    { id }: OpenLedger,
    report: ReconciliationReport,
    reading: readonly NamedContradiction[] = [],
  ): void {
    const { memory, serverNow } = this.options;
    const checked = firstContradictions(report).flatMap((each) => {
      const known = memory.find(id, each);
      return known ? [{ ...each, readAt: known.readAt }] : [];
    });
    const computedAt = Math.floor(serverNow());
    this.show({ kind: 'computed', report, computedAt, status: 'current', reading, checked });
  }

  private show(state: ReconciliationState): void {
    this.current = state;
    this.didChange.fire();
  }
}

/** The report, after a check if there was one, and what an alert has to show of it. */
type CheckResult = {
  readonly ledger: OpenLedger;
  readonly report: ReconciliationReport;
  readonly alerted: readonly NamedContradiction[];
};

/** Each takes a page or more. */
const mostReadAgain = 10;
/** The memory has room for some that are gone. */
const mostFollowed = 100;

/** Which contradictions are to be read again, and shown by an alert. None if another window does that. */
async function dueContradictions(
  { memory }: AccountReconciliationOptions,
  ledger: OpenLedger,
  report: ReconciliationReport,
  isRead: boolean,
): Promise<readonly NamedContradiction[]> {
  const all = allContradictions(report).slice(0, mostFollowed);
  const isUnread = (each: NamedContradiction): boolean =>
    memory.find(ledger.id, each)?.readAt === null;
  const unknown = all.filter((each) => !memory.find(ledger.id, each));
  const due = isRead ? [...unknown, ...all.filter(isUnread)].slice(0, mostReadAgain) : unknown;
  return due.length > 0 && (await claimWriting(ledger)) ? due : [];
}

/** Reads the intervals again. Rejects with ExchangeError, LedgerError, or an abort. */
async function readAgain(
  { memory, serverNow }: AccountReconciliationOptions,
  ledger: OpenLedger,
  before: ReconciliationReport,
  contradictions: readonly NamedContradiction[],
): Promise<CheckResult> {
  for (const [history, intervals] of periodsOf(before, contradictions))
    for (const interval of intervals) await ledger.readAgain(history, interval);
  const readAt = Math.floor(serverNow());
  return remember(memory, ledger, await ledger.reader.reconcile(), contradictions, readAt);
}

/** An alert is about an asset: it covers what is not read again yet, and is remembered as unread. */
async function remember(
  memory: ContradictionMemory,
  ledger: OpenLedger,
  report: ReconciliationReport,
  checked: readonly NamedContradiction[],
  readAt: number | null,
): Promise<CheckResult> {
  const isUnknown = (each: NamedContradiction): boolean => !memory.find(ledger.id, each);
  const all = allContradictions(report);
  const left = all.filter((each) => isAmong(checked, each));
  const alerted = left.filter(isUnknown);
  const covered = all
    .slice(0, mostFollowed)
    .filter(isUnknown)
    .filter((each) => !isAmong(left, each) && alerted.some((one) => isOfSameAsset(one, each)));
  await memory.add(ledger.id, [
    ...covered.map((each) => ({ ...each, readAt: null })),
    ...left.map((each) => ({ ...each, readAt })),
  ]);
  return { ledger, report, alerted };
}

/** The window that reads into the ledger; none does if it cannot be written. */
async function claimWriting(ledger: OpenLedger): Promise<boolean> {
  try {
    return await ledger.claimWriting();
  } catch (error) {
    if (error instanceof LedgerError) return false;
    throw error;
  }
}

function isAmong(contradictions: readonly NamedContradiction[], one: NamedContradiction): boolean {
  return contradictions.some((each) => isSameContradiction(each, one));
}

function isOfSameAsset(one: NamedContradiction, other: NamedContradiction): boolean {
  return one.identity === other.identity && one.subject === other.subject;
}
