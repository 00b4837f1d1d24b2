import { withinOrUndefined } from '../../base/abort.ts';
import type { Disposable } from '../../base/disposable.ts';
import { UserFacingError } from '../../base/errors.ts';
import { phrase } from '../../base/phrase.ts';
import { steadyTimeOf, type Clock } from '../../base/time.ts';
import { clientKey } from '../../exchange/client.ts';
import { ExchangeError } from '../../exchange/exchangeError.ts';
import { preloadLibrary } from '../../exchange/http/fetch.ts';
import type { Reservation } from '../../exchange/rateLimit/rateLimiter.ts';
import { failureOf, notSentBecause, type RequestEnd } from './cancelOutcome.ts';
import {
  isStillConfirmed,
  maxPlanAgeMs,
  planCancelAll,
  type CancelPlan,
  maxLimitWaitMs,
  sendableAt,
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
type Agreed = { readonly plan: CancelPlan; readonly waitUntil: number };

/** A confirmed plan with room in the limit for its request, or why that is not sent after all. */
type Confirmed = { readonly plan: CancelPlan; readonly room: Reservation | RequestEnd };

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
   * Rejects if nothing can be sent and the user has not confirmed; never for the outcome of the request.
   */
  async run(): Promise<void> {
    await (this.unsent ??= this.planAndSend());
  }

  private async planAndSend(): Promise<void> {
    const progress = this.options.startProgress();
    const show = (step: CancelProgress): void => this.notify(() => progress(step));
    try {
      const confirmed = await this.confirmedPlan(show).finally(() => (this.unsent = undefined));
      if (confirmed) await this.reportReadBack(await this.send(confirmed, show), show);
    } finally {
      show({ at: 'ended' });
    }
  }

  /**
   * The plan that the user confirmed, with room for its request; undefined if they did not confirm, or
   * stopped the wait.
   */
  private async confirmedPlan(
    show: (step: CancelProgress) => void,
  ): Promise<Confirmed | undefined> {
    const { account, confirm, clock, onProblem } = this.options;
    const { signal: closing } = this.disposal;
    let agreed: Agreed | undefined;
    let room: Reservation | undefined;
    const giveBack = (): void => {
      room?.complete({ kind: 'unsent' });
      room = undefined;
    };
    try {
      for (;;) {
        show({ at: 'planning' });
        const open = await account();
        preloadLibrary().catch((error: unknown) => onProblem('loadLibrary', error));
        if (agreed?.plan.account !== open) giveBack();
        const options = { ...this.options, reader: this.reader, hasRoom: room !== undefined };
        const plan = await planCancelAll(open, options);
        const plannedAt = clock.steadyNow();
        if (!agreed || !isStillConfirmed(agreed.plan, plan)) {
          giveBack();
          show({ at: 'confirming' });
          const isYes = await confirm(plan, agreed?.plan);
          if (isYes) agreed = { plan, waitUntil: clock.steadyNow() + maxLimitWaitMs };
          if (!agreed) return undefined;
          if (!isYes && !closing.aborted) return { plan: agreed.plan, room: keptOrders };
        }
        agreed = { ...agreed, plan };
        const isOpen = async (): Promise<boolean> => open === (await account());
        const reserved = room ?? (await this.reserveRoom(agreed, isOpen, show));
        if (reserved === 'stopped') return undefined;
        if (reserved === 'closed') continue;
        room = reserved;
        const isRecent = clock.steadyNow() - plannedAt <= maxPlanAgeMs;
        if (isRecent && (await isOpen())) return { plan, room };
      }
    } catch (error) {
      giveBack();
      if (!agreed) throw error;
      const { plan } = agreed;
      return { plan, room: closing.aborted ? windowClosed : notSentFor(error) };
    }
  }

  /**
   * Reserves room in the limit for a request, at once or as soon as it is there. `stopped` if the user
   * stopped the wait; `closed` if the account was, which it looks for every second. Rejects if there is no
   * room in time, or the window closes.
   */
  private async reserveRoom(
    { plan: { account }, waitUntil }: Agreed,
    isOpen: () => Promise<boolean>,
    show: (step: CancelProgress) => void,
  ): Promise<Reservation | 'stopped' | 'closed'> {
    const { clock } = this.options;
    const stopped = new AbortController();
    const stop = (): void => stopped.abort();
    const showWait = (): void => {
      const now = clock.now();
      const readyAt = sendableAt(account, now);
      const waits = readyAt !== undefined && readyAt - now <= waitUntil - clock.steadyNow();
      if (waits) show({ at: 'waiting', sendableAt: readyAt, stop });
    };
    showWait();
    const signal = AbortSignal.any([this.disposal.signal, stopped.signal]);
    const reserving = account[clientKey].reserveCancelAll(waitUntil - clock.steadyNow(), signal);
    let isTaken = false;
    try {
      for (;;) {
        const room = await withinOrUndefined(clock, 1000, reserving);
        if (stopped.signal.aborted) return 'stopped';
        isTaken = room !== undefined;
        if (room) return room;
        if (!(await isOpen())) return 'closed';
        showWait();
      }
    } catch (error) {
      if (stopped.signal.aborted) return 'stopped';
      throw error;
    } finally {
      stop();
      // It may have come at that very moment.
      if (!isTaken)
        reserving.then((late) => late.complete({ kind: 'unsent' })).catch(() => undefined);
    }
  }

  /**
   * Stores the receipt, and sends the one request. Stops the re-checks of an earlier request, because what
   * is locked from then on is not its effect alone.
   */
  private async send(
    { plan, room }: Confirmed,
    show: (step: CancelProgress) => void,
  ): Promise<SentCancel> {
    const { account } = plan;
    const now = steadyTimeOf(this.options.clock);
    const sending = newReceipt(plan, now());
    if (!('kind' in room)) {
      this.newest = sending.id;
      this.rechecks?.abort.abort();
      show({ at: 'sending' });
      await this.save(sending);
    }
    const end = 'kind' in room ? room : await this.request(account, room);
    this.reader.invalidate();
    const receipt = withRequestEnd(sending, end, now(), account.redact);
    await this.save(receipt);
    return { account, end, receipt, now };
  }

  /** The only place that sends a cancel-all. It is never sent again, whatever happens. */
  private async request(
    { [clientKey]: client }: CancelAccount,
    room: Reservation,
  ): Promise<RequestEnd> {
    if (this.disposal.signal.aborted) {
      room.complete({ kind: 'unsent' });
      return windowClosed;
    }
    try {
      const { value: canceled, badRecords } = await client.cancelAll(room);
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

/** Why a confirmed request is not sent: there is no room for it, or its account cannot be used any more. */
function notSentFor(error: unknown): RequestEnd {
  if (error instanceof ExchangeError)
    return { kind: 'failed', failure: failureOf(error, 'cancelAll') };
  if (error instanceof UserFacingError) return notSentBecause(error.userMessage);
  return notSentBecause(
    phrase('the account is no longer open, for example because another one was opened'),
  );
}
