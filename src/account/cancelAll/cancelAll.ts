import { withinOrUndefined } from '../../base/abort.ts';
import type { Disposable } from '../../base/disposable.ts';
import { UserFacingError } from '../../base/errors.ts';
import { phrase, type Phrase } from '../../base/phrase.ts';
import { steadyTimeOf, type Clock } from '../../base/time.ts';
import { clientKey } from '../../exchange/client.ts';
import { preloadLibrary } from '../../exchange/http/fetch.ts';
import { failureOf, notSentBecause, type RequestEnd } from './cancelOutcome.ts';
import {
  isStillConfirmed,
  maxPlanAgeMs,
  planCancelAll,
  sendableAt,
  type CancelPlan,
  maxLimitWaitMs,
  waitForLimit,
  type CancelProgress,
  newReceipt,
} from './cancelPlan.ts';
import { SharedAccountReader, type CancelAccount } from './lockedOrders.ts';
import {
  mayHaveActed,
  needsRecheck,
  wasSent,
  withRequestEnd,
  type Receipt,
  type ReceiptStore,
} from './receipts.ts';
import {
  isNews,
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

/** What the user confirmed, and how long it may wait for the limit, by the steady clock. */
type Confirmed = {
  readonly plan: CancelPlan;
  readonly waitUntil: number;
  /** Why it is not sent after all. */
  readonly obstacle?: RequestEnd;
};

/** A confirmed request that was not sent for want of room in the limit. */
type Unsent = { readonly confirmed: Confirmed; readonly sent: SentCancel };

/** The re-checks of a request, and the last version of its receipt. */
type Rechecks = {
  readonly sent: SentCancel;
  readonly abort: AbortController;
  readonly ended: Promise<Receipt>;
};

/** The report of a request comes this soon after its end, also while what is locked is still being read. */
const maxReadBackMs = 2000;

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
  /** The receipt of the newest request, unless that did nothing. */
  private newest: string | undefined;
  private readonly saved = new WeakSet<Receipt>();
  /** The run that has not sent its request yet; whether it reports something. */
  private unsent: Promise<boolean> | undefined;

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
   * Rejects if nothing can be sent and the user has not confirmed; never for the outcome of the request.
   */
  async run(): Promise<void> {
    await (this.unsent ??= this.planAndSend());
  }

  /** True if it reports something. `withoutRoom` is a request that found no room in the limit before. */
  private async planAndSend(withoutRoom?: Unsent): Promise<boolean> {
    const progress = this.options.startProgress();
    const show = (step: CancelProgress): void => this.notify(() => progress(step));
    let unsent: Unsent | undefined;
    try {
      const confirmed = await this.confirmedPlan(show, withoutRoom?.confirmed).finally(
        () => (this.unsent = undefined),
      );
      if (!confirmed) return false;
      const sent = await this.send(confirmed, show, withoutRoom?.sent.receipt.id);
      if (this.canWaitAgain(confirmed, sent)) unsent = { confirmed, sent };
      else await this.reportReadBack(sent, show);
    } finally {
      show({ at: 'ended' });
    }
    if (!unsent) return true;
    // A later press may be asking already.
    this.unsent ??= this.planAndSend(unsent);
    if (!(await this.unsent.catch(() => false))) await this.reportAndRecheck(unsent.sent);
    return true;
  }

  /** Whether another window took the room in the limit before the request, and there is room again in time. */
  private canWaitAgain({ plan, waitUntil }: Confirmed, { end }: SentCancel): boolean {
    if (end.kind === 'answered' || end.failure.kind !== 'rateLimited') return false;
    const now = this.options.clock.now();
    const readyAt = sendableAt(plan.account, now);
    const leftMs = waitUntil - this.options.clock.steadyNow();
    return end.failure.sent === 'no' && readyAt !== undefined && readyAt - now <= leftMs;
  }

  /**
   * The plan that the user confirmed, and that may be sent now unless it names an obstacle; undefined if
   * they did not confirm, or stopped the wait. `before` is what they confirmed for the same request.
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
        const plannedAt = clock.steadyNow();
        if (!agreed || !isStillConfirmed(agreed.plan, plan)) {
          show({ at: 'confirming' });
          const isYes = await confirm(plan, agreed?.plan);
          if (isYes) agreed = { plan, waitUntil: clock.steadyNow() + maxLimitWaitMs };
          if (!agreed || !isYes || closing.aborted)
            return agreed && { ...agreed, obstacle: closing.aborted ? windowClosed : keptOrders };
        }
        agreed = { ...agreed, plan };
        const isOpen = async (): Promise<boolean> => open === (await account());
        const isStopped = await waitForLimit(open, { ...agreed, clock, isOpen, closing, show });
        if (isStopped) return undefined;
        if (closing.aborted) return agreed;
        const isRecent = clock.steadyNow() - plannedAt <= maxPlanAgeMs;
        if (isRecent && (await isOpen())) return agreed;
      }
    } catch (error) {
      if (!agreed) throw error;
      return { ...agreed, obstacle: notSentBecause(reasonOf(error)) };
    }
  }

  /**
   * Stores the receipt, and sends the one request. Stops the re-checks of an earlier request, because what
   * is locked from then on is not its effect alone.
   */
  private async send(
    { plan, obstacle }: Confirmed,
    show: (step: CancelProgress) => void,
    receiptId?: string,
  ): Promise<SentCancel> {
    const { account } = plan;
    const now = steadyTimeOf(this.options.clock);
    const sending = newReceipt(plan, now(), receiptId);
    if (!obstacle) {
      this.newest = sending.id;
      this.rechecks?.abort.abort();
      show({ at: 'sending' });
      await this.save(sending);
    }
    const end = obstacle ?? (await this.request(account));
    this.reader.invalidate();
    const receipt = withRequestEnd(sending, end, now(), account.redact);
    await this.save(receipt);
    return { account, end, receipt, now };
  }

  /** The only place that sends a cancel-all. It is never sent again, whatever happens. */
  private async request({ [clientKey]: client }: CancelAccount): Promise<RequestEnd> {
    if (this.disposal.signal.aborted) return windowClosed;
    try {
      const { value: canceled, badRecords } = await client.cancelAll();
      return { kind: 'answered', canceled, badRecords };
    } catch (error) {
      return { kind: 'failed', failure: failureOf(error, 'cancelAll') };
    }
  }

  /** Reports the request with what is locked now, or while that is still being read, and then again. */
  private async reportReadBack(
    sent: SentCancel,
    show: (step: CancelProgress) => void,
  ): Promise<void> {
    if (!wasSent(sent.receipt)) return this.reportAndRecheck(sent);
    show({ at: 'verifying', isUnknown: sent.receipt.outcome === 'unknown' });
    const reading = readBack(sent, this.readBackOptions);
    const isSlow = !(await withinOrUndefined(this.options.clock, maxReadBackMs, reading));
    if (isSlow) this.report(this.reportOf(sent.receipt, true));
    const receipt = await reading;
    await this.reportAndRecheck({ ...sent, receipt }, !isSlow || isNews(sent.receipt, receipt));
  }

  private async reportAndRecheck(sent: SentCancel, isNew = true): Promise<void> {
    const { receipt } = sent;
    if (isNew) this.report(this.reportOf(receipt, needsRecheck(receipt)));
    const isOlder = this.newest !== undefined && this.newest !== receipt.id;
    if (mayHaveActed(receipt) && !isOlder) this.startRechecks(sent);
    else this.notify(() => this.options.onChange(this.reportOf(receipt, false)));
    if (!mayHaveActed(receipt) && !isOlder) await this.resumeRechecks();
  }

  /** Those that were stopped for a request that did nothing. */
  private async resumeRechecks(): Promise<void> {
    this.newest = undefined;
    const { rechecks } = this;
    if (!rechecks?.abort.signal.aborted) return;
    const receipt = await rechecks.ended;
    if (remainingRechecks(receipt).length === 0) return;
    this.notify(() => this.options.onChange(this.reportOf(receipt, true)));
    this.startRechecks({ ...rechecks.sent, receipt });
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

const windowClosed = notSentBecause(
  phrase('the window was closing; run it again in a window that stays open'),
);
const keptOrders = notSentBecause(phrase('you were asked again, and kept the orders'));

/** Why the account of a confirmed request cannot be used any more. */
function reasonOf(error: unknown): string | Phrase {
  if (error instanceof UserFacingError) return error.userMessage;
  return phrase('the account is no longer open, for example because another one was opened');
}
