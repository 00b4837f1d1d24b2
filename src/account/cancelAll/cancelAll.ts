import type { Disposable } from '../../base/disposable.ts';
import type { Clock } from '../../base/time.ts';
import { preloadLibrary } from '../../exchange/http/fetch.ts';
import { failureOf, requestOutcome, windowClosed, type RequestEnd } from './cancelOutcome.ts';
import { isStillConfirmed, maxPlanAgeMs, planCancelAll, type CancelPlan } from './cancelPlan.ts';
import { waitForLimit, type CancelProgress } from './cancelProgress.ts';
import { isAbortError, SharedAccountReader, type CancelAccount } from './lockedOrders.ts';
import type { Receipt, ReceiptStore } from './receipts.ts';
import { newReceipt, withRequestEnd } from './receiptUpdates.ts';
import {
  needsRecheck,
  readBack,
  recheck,
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
  private recheckAbort = new AbortController();
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
    this.recheckAbort.abort();
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

  private async planAndSend(): Promise<void> {
    const progress = this.options.startProgress();
    const show = (step: CancelProgress): void => this.notify(() => progress(step));
    let sent: SentCancel | undefined;
    try {
      const plan = await this.confirmedPlan(show).finally(() => (this.unsent = undefined));
      if (plan) sent = await this.send(plan, show);
    } finally {
      show({ at: 'ended' });
    }
    if (sent) this.reportAndRecheck(sent);
  }

  /** The plan that the user confirmed and that may be sent now; undefined if they did not confirm. */
  private async confirmedPlan(
    show: (step: CancelProgress) => void,
  ): Promise<CancelPlan | undefined> {
    const { account, confirm, clock, onProblem } = this.options;
    const { signal: closing } = this.disposal;
    let agreed: CancelPlan | undefined;
    try {
      for (;;) {
        show({ at: 'planning' });
        const open = await account();
        preloadLibrary().catch((error: unknown) => onProblem('loadLibrary', error));
        const plan = await planCancelAll(open, { ...this.options, reader: this.reader });
        if (!agreed || !isStillConfirmed(agreed, plan)) {
          show({ at: 'confirming' });
          if (!(await confirm(plan, agreed)) || closing.aborted) return undefined;
        }
        agreed = plan;
        const isStopped = await waitForLimit(open, { clock, closing, show });
        if (isStopped) return undefined;
        if (closing.aborted) return plan;
        const isRecent = Math.abs(clock.now() - plan.plannedAt) <= maxPlanAgeMs;
        if (isRecent && open === (await account())) return plan;
      }
    } catch (error) {
      const isInterrupted = agreed !== undefined && isAbortError(error);
      throw isInterrupted ? new InterruptedAfterConfirm(undefined, { cause: error }) : error;
    }
  }

  /** Stores the receipt, sends the one request, and reads back what is locked. */
  private async send(plan: CancelPlan, show: (step: CancelProgress) => void): Promise<SentCancel> {
    const { account } = plan;
    const { clock } = this.options;
    this.recheckAbort.abort();
    this.recheckAbort = new AbortController();
    const { signal: newerSent } = this.recheckAbort;
    show({ at: 'sending' });
    const sending = newReceipt(plan, clock.now());
    await this.save(sending);
    const end = await this.request(account);
    this.reader.invalidate();
    const receipt = withRequestEnd(sending, end, clock.now(), account.redact);
    await this.save(receipt);
    const sent = { account, end, receipt, newerSent };
    const outcome = requestOutcome(end);
    if (outcome === 'notSent' || outcome === 'refused') return sent;
    show({ at: 'verifying', isUnknown: outcome === 'unknown' });
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
    recheck(sent, this.readBackOptions)
      .then(({ receipt, isNews }) => {
        const last = this.reportOf(receipt, false);
        this.notify(() => this.options.onChange(last));
        if (isNews) this.report(last);
      })
      .catch((error: unknown) => this.options.onProblem('recheck', error));
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
