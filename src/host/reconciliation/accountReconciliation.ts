import type { Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import { minuteMs, secondMs, type Clock } from '../../base/time.ts';
import type { ReconciliationReport } from '../../ledger/ledger.ts';
import {
  firstContradictions,
  isSameContradiction,
  periodsOf,
  type NamedContradiction,
} from '../../ledger/reconciliation/contradictions.ts';
import type { AccountLedger, OpenLedger } from '../ledger/openLedger.ts';
import type { Log } from '../log.ts';
import type { CheckedContradiction, ContradictionMemory } from './contradictionMemory.ts';

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
      /** In epoch milliseconds. */
      readonly computedAt: number;
      /** Outdated: rows or periods were read since. */
      readonly status: 'current' | 'outdated' | 'computing';
      /** The contradictions whose intervals are being read again. */
      readonly reading: readonly NamedContradiction[];
      /** Those that were read again before, and are still there. */
      readonly checked: readonly CheckedContradiction[];
    };

type AccountReconciliationOptions = {
  readonly ledger: AccountLedger;
  readonly memory: ContradictionMemory;
  readonly clock: Clock;
  readonly log: Log;
  /** Whether the exchange may be asked in the background. */
  readonly mayRead: () => boolean;
  /** Shows an alert about contradictions that were not there before. */
  readonly alert: (contradictions: readonly NamedContradiction[]) => void;
};

/** Rows come in bursts. */
const settleMs = 10 * secondMs;
/** A comparison of a million rows takes seconds of a processor. */
const shortestPauseMs = 10 * minuteMs;

/**
 * The reconciliation of the account that is open. It is computed when a page shows it, and some time after
 * rows were read. The interval of a contradiction is read again once before it is believed.
 */
export class AccountReconciliation implements Disposable {
  private readonly options: AccountReconciliationOptions;
  private readonly didChange = new Emitter<void>();
  readonly onDidChange: Event<void> = this.didChange.event;
  private readonly shownListener: Disposable;
  private ledgerListener: Disposable | undefined;
  private current: ReconciliationState = { kind: 'noLedger' };
  /** The ledger that is being compared. */
  private running: OpenLedger | undefined;
  private startedAt = Number.NEGATIVE_INFINITY;
  private stopTimer: (() => void) | undefined;
  private isWanted = false;

  constructor(options: AccountReconciliationOptions) {
    this.options = options;
    this.shownListener = options.ledger.onDidChange(() => this.follow());
    this.follow();
  }

  get state(): ReconciliationState {
    return this.current;
  }

  /** A page shows it, from now on. */
  want(): void {
    this.isWanted = true;
    if (this.current.kind === 'waiting') this.compute();
  }

  /** Compares the records of the ledger now. */
  compute(): void {
    const ledger = this.options.ledger.current;
    if (!ledger || this.running === ledger) return;
    this.cancelTimer();
    this.running = ledger;
    this.startedAt = this.options.clock.now();
    this.show(
      this.current.kind === 'computed'
        ? { ...this.current, status: 'computing' }
        : { kind: 'computing' },
    );
    void this.computeOf(ledger).finally(() => {
      if (this.running === ledger) this.running = undefined;
    });
  }

  dispose(): void {
    this.cancelTimer();
    this.shownListener.dispose();
    this.ledgerListener?.dispose();
    this.didChange.dispose();
  }

  private follow(): void {
    const ledger = this.options.ledger.current;
    this.cancelTimer();
    this.running = undefined;
    this.ledgerListener?.dispose();
    this.ledgerListener = ledger?.onDidChange(() => this.onLedgerChange());
    this.show({ kind: ledger ? 'waiting' : 'noLedger' });
    if (ledger && this.isWanted) this.compute();
  }

  private onLedgerChange(): void {
    if (this.current.kind === 'computed' && this.current.status === 'current')
      this.show({ ...this.current, status: 'outdated' });
    const { clock } = this.options;
    const pauseMs = this.startedAt + shortestPauseMs - clock.now();
    this.stopTimer ??= clock.after(Math.max(settleMs, pauseMs), () => this.compute());
  }

  private cancelTimer(): void {
    this.stopTimer?.();
    this.stopTimer = undefined;
  }

  /** What was computed of a ledger that is no longer open is not shown. */
  private async computeOf(ledger: OpenLedger): Promise<void> {
    try {
      const report = await ledger.reader.reconcile();
      if (this.isOpen(ledger)) await this.check(ledger, report);
    } catch (error) {
      if (!this.isOpen(ledger)) return;
      this.options.log.failure('the reconciliation', error);
      this.show({ kind: 'failed', error });
    }
  }

  /**
   * Reads the intervals of contradictions again that were not there before, and shows an alert about those
   * that stay. Only the window that reads into the ledger does so.
   */
  private async check(ledger: OpenLedger, report: ReconciliationReport): Promise<void> {
    const { memory, mayRead, clock, alert } = this.options;
    const found = firstContradictions(report).filter((each) => !memory.find(ledger.id, each));
    this.showReport(ledger, report);
    if (found.length === 0 || !(await ledger.isWriter())) return;
    const again = mayRead() ? await this.readAgain(ledger, report, found) : report;
    if (!again || !this.isOpen(ledger)) return;
    const readAt = again === report ? null : clock.now();
    const left = firstContradictions(again).filter((each) =>
      found.some((before) => isSameContradiction(before, each)),
    );
    await memory.add(
      ledger.id,
      left.map((each) => ({ ...each, readAt })),
    );
    this.showReport(ledger, again);
    if (left.length > 0) alert(left);
  }

  /** The report after that. Undefined if the exchange could not be read: the next comparison tries again. */
  private async readAgain(
    ledger: OpenLedger,
    report: ReconciliationReport,
    found: readonly NamedContradiction[],
  ): Promise<ReconciliationReport | undefined> {
    this.showReport(ledger, report, found);
    for (const [history, intervals] of periodsOf(report, found))
      for (const interval of intervals)
        if (!(await ledger.readAgain(history, interval))) {
          if (this.isOpen(ledger)) this.showReport(ledger, report);
          return undefined;
        }
    return ledger.reader.reconcile();
  }

  private showReport(
    { id }: OpenLedger,
    report: ReconciliationReport,
    reading: readonly NamedContradiction[] = [],
  ): void {
    const { memory, clock } = this.options;
    const checked = firstContradictions(report).flatMap((each) => {
      const known = memory.find(id, each);
      return known ? [{ ...each, readAt: known.readAt }] : [];
    });
    const computedAt = clock.now();
    this.show({ kind: 'computed', report, computedAt, status: 'current', reading, checked });
  }

  private show(state: ReconciliationState): void {
    this.current = state;
    this.didChange.fire();
  }

  private isOpen(ledger: OpenLedger): boolean {
    return this.options.ledger.current === ledger;
  }
}
