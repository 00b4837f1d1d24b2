import type { Disposable } from '../../base/disposable.ts';
import type { Clock } from '../../base/time.ts';
import { preloadLibrary } from '../../exchange/http/fetch.ts';
import { failureOf, windowClosed, type RequestEnd } from './cancelOutcome.ts';
import {
  isStillConfirmed,
  maxPlanAgeMs,
  planCancelAll,
  sendableAt,
  type CancelPlan,
} from './cancelPlan.ts';
import { maxLimitWaitMs, waitForLimit, type CancelProgress } from './cancelProgress.ts';
import { isAbortError, SharedAccountReader, type CancelAccount } from './lockedOrders.ts';
import { mayHaveActed, type Receipt, type ReceiptStore } from './receipts.ts';
import { newReceipt, withRequestEnd } from './receiptUpdates.ts';
import {
  needsRecheck,
  readBack,
  recheck,
  remainingRechecks,
  type ReadBackOptions,
  type SentCancel,
} from './recheck.ts';

type CancelAllOptions = {
  readonly clock: Clock;
  readonly receipts: ReceiptStore;
  /** The open account. Rejects with a sentence if nothing may be sent. */
  readonly account: () => Promise<CancelAccount>;
  /** Asks the user. `earlier` is what they confirmed before, if that has changed. */
  readonly confirm: (plan: CancelPlan, earlier: CancelPlan | undefined) => Promise<boolean>;
  /** Begins to show the progress of one run. */
  readonly startProgress: () => (progress: CancelProgress) => void;
  /** The outcome of a sent request; called again when a re-check shows something new. */
  readonly onReport: (report: CancelReport) => void;
  /** Each version of a receipt, from before its request is sent to the end of its re-checks. */
  readonly onChange: (report: CancelReport) => void;
  /** Receives failures that must not stop a cancel-all, and what failed. */
  readonly onProblem: (activity: CancelActivity, error: unknown) => void;
};

/** What may fail without stopping a cancel-all. */
type CancelActivity = 'readReceipts' | 'saveReceipt' | 'loadLibrary' | 'recheck' | 'show';

export type CancelReport = {
  readonly receipt: Receipt;
  /** The store has this version of the receipt. */
  readonly isSaved: boolean;
  /** This run still sends, reads or re-checks: a newer version follows. */
  readonly isActive: boolean;
};

/** What the user confirmed, and how long it may wait for the limit, in epoch milliseconds. */
type Confirmed = { readonly plan: CancelPlan; readonly waitUntil: number };

/** A confirmed request that was not sent, and its receipt. */
type Unsent = { readonly confirmed: Confirmed; readonly receiptId: string };

/** The re-checks of a request, and the last version of its receipt. */
type Rechecks = {
  readonly sent: SentCancel;
  readonly abort: AbortController;
  readonly ended: Promise<Receipt>;
};

/** The user confirmed, and nothing was sent because the account was closed meanwhile. */
export class InterruptedAfterConfirm extends Error {
  override readonly name = 'InterruptedAfterConfirm';
}

/**
 * Cancels all open orders of the open account: plan, question, one request that is never sent again,
 * and only reads after it.
 */
export class CancelAll implements Disposable {
  private readonly options: CancelAllOptions;
  private readonly reader: SharedAccountReader;
  private readonly readBackOptions: ReadBackOptions;
  private readonly disposal = new AbortController();
  /** Of the newest request that may have acted. */
  private rechecks: Rechecks | undefined;
  private readonly saved = new WeakSet<Receipt>();
  /** The run that has not sent its request yet. */
  private unsent: Promise<void> | undefined;

  constructor(options: CancelAllOptions) {
    this.options = options;
    const { clock } = options;
    this.reader = new SharedAccountReader(clock);
    const save = (receipt: Receipt): Promise<void> => this.save(receipt);
    this.readBackOptions = { clock, reader: this.reader, save };
  }

  /** Sends no more requests and ends the re-checks. A request under way is not aborted. */
  dispose(): void {
    this.disposal.abort();
  }

  /**
   * Runs from the plan to the report. A call before the request of another run was sent joins that run.
   * Rejects if nothing was sent because there is no account, with InterruptedAfterConfirm if the user
   * had confirmed; never for the outcome of the request.
   */
  run(): Promise<void> {
    this.unsent ??= this.planAndSend();
    return this.unsent;
  }

  /** `withoutRoom` is what was confirmed for a request that found no room in the limit. */
  private async planAndSend(withoutRoom?: Unsent): Promise<void> {
    const progress = this.options.startProgress();
    const show = (step: CancelProgress): void => this.notify(() => progress(step));
    let confirmed: Confirmed | undefined;
    let sent: SentCancel | undefined;
    try {
      confirmed = await this.confirmedPlan(show, withoutRoom?.confirmed).finally(
        () => (this.unsent = undefined),
      );
      if (confirmed) sent = await this.send(confirmed.plan, show, withoutRoom?.receiptId);
    } finally {
      show({ at: 'ended' });
    }
    if (!confirmed || !sent) return;
    if (this.canWaitAgain(confirmed, sent)) {
      this.unsent ??= this.planAndSend({ confirmed, receiptId: sent.receipt.id });
      return this.unsent;
    }
    this.reportAndRecheck(sent);
  }

  /** Whether another window took the room in the limit before the request, and there is room again in time. */
  private canWaitAgain({ plan, waitUntil }: Confirmed, { end }: SentCancel): boolean {
    if (end.kind === 'answered' || end.failure.kind !== 'rateLimited') return false;
    const readyAt = sendableAt(plan.account, this.options.clock.now());
    return end.failure.sent === 'no' && readyAt !== undefined && readyAt <= waitUntil;
  }

  /**
   * The plan that the user confirmed and that may be sent now; undefined if they did not confirm.
   * `before` is what they confirmed for the same request.
   */
  private async confirmedPlan(
    show: (step: CancelProgress) => void,
    before: Confirmed | undefined,
  ): Promise<Confirmed | undefined> {
    const { account, confirm, clock, onProblem } = this.options;
    const { signal: closing } = this.disposal;
    let agreed = before;
    try {
      for (;;) {
        show({ at: 'planning' });
        const open = await account();
        preloadLibrary().catch((error: unknown) => onProblem('loadLibrary', error));
        const plan = await planCancelAll(open, { ...this.options, reader: this.reader });
        let waitUntil = agreed?.waitUntil ?? 0;
        if (!agreed || !isStillConfirmed(agreed.plan, plan)) {
          show({ at: 'confirming' });
          if (!(await confirm(plan, agreed?.plan)) || closing.aborted) return undefined;
          waitUntil = clock.now() + maxLimitWaitMs;
        }
        agreed = { plan, waitUntil };
        const isOpen = async (): Promise<boolean> => open === (await account());
        const isStopped = await waitForLimit(open, { clock, waitUntil, isOpen, closing, show });
        if (isStopped) return undefined;
        if (closing.aborted) return agreed;
        const isRecent = Math.abs(clock.now() - plan.plannedAt) <= maxPlanAgeMs;
        if (isRecent && (await isOpen())) return agreed;
      }
    } catch (error) {
      const isInterrupted = agreed !== undefined && isAbortError(error);
      throw isInterrupted ? new InterruptedAfterConfirm(undefined, { cause: error }) : error;
    }
  }

  /**
   * Stores the receipt, sends the one request, and reads back what is locked. Stops the re-checks of an
   * earlier request, because what is locked from then on is not its effect alone, unless this one did nothing.
   */
  private async send(
    { account, ...plan }: CancelPlan,
    show: (step: CancelProgress) => void,
    receiptId?: string,
  ): Promise<SentCancel> {
    const { clock } = this.options;
    const { rechecks: earlier } = this;
    earlier?.abort.abort();
    show({ at: 'sending' });
    const sending = newReceipt({ account, ...plan }, clock.now(), receiptId);
    await this.save(sending);
    const end = await this.request(account);
    this.reader.invalidate();
    const receipt = withRequestEnd(sending, end, clock.now(), account.redact);
    await this.save(receipt);
    const sent = { account, end, receipt };
    if (!mayHaveActed(receipt)) {
      if (earlier) await this.resumeRechecks(earlier);
      return sent;
    }
    show({ at: 'verifying', isUnknown: receipt.outcome === 'unknown' });
    return { ...sent, receipt: await readBack(sent, this.readBackOptions) };
  }

  /** The only place that sends a cancel-all. It is never sent again, whatever happens. */
  private async request({ client }: CancelAccount): Promise<RequestEnd> {
    if (this.disposal.signal.aborted) return windowClosed;
    try {
      const { value: canceled, badRecords } = await client.cancelAll();
      return { kind: 'answered', canceled, badRecords };
    } catch (error) {
      return { kind: 'failed', failure: failureOf(error, 'cancelAll') };
    }
  }

  private reportAndRecheck(sent: SentCancel): void {
    this.report(this.reportOf(sent.receipt, needsRecheck(sent.receipt)));
    if (mayHaveActed(sent.receipt)) this.startRechecks(sent);
    else this.notify(() => this.options.onChange(this.reportOf(sent.receipt, false)));
  }

  private async resumeRechecks({ sent, ended }: Rechecks): Promise<void> {
    const receipt = await ended;
    if (remainingRechecks(receipt).length === 0) return;
    this.notify(() => this.options.onChange(this.reportOf(receipt, true)));
    this.startRechecks({ ...sent, receipt });
  }

  private startRechecks(sent: SentCancel): void {
    const { onChange, onProblem } = this.options;
    this.rechecks?.abort.abort();
    const abort = new AbortController();
    const signal = AbortSignal.any([abort.signal, this.disposal.signal]);
    const ended = recheck(sent, this.readBackOptions, signal)
      .then(({ receipt, isNews }) => {
        const last = this.reportOf(receipt, false);
        this.notify(() => onChange(last));
        if (isNews) this.report(last);
        return receipt;
      })
      .catch((error: unknown) => {
        onProblem('recheck', error);
        return sent.receipt;
      });
    this.rechecks = { sent, abort, ended };
  }

  private report(report: CancelReport): void {
    if (!this.disposal.signal.aborted) this.notify(() => this.options.onReport(report));
  }

  private reportOf(receipt: Receipt, isActive: boolean): CancelReport {
    return { receipt, isSaved: this.saved.has(receipt), isActive };
  }

  private async save(receipt: Receipt): Promise<void> {
    try {
      await this.options.receipts.save(receipt);
      this.saved.add(receipt);
    } catch (error) {
      this.options.onProblem('saveReceipt', error);
    }
    this.notify(() => this.options.onChange(this.reportOf(receipt, true)));
  }

  private notify(show: () => void): void {
    try {
      show();
    } catch (error) {
      this.options.onProblem('show', error);
    }
  }
}
