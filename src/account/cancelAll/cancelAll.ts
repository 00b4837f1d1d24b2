import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import { soon } from '../../base/deadline.ts';
import { singleFlight } from '../../base/singleFlight.ts';
import { prepareWrite } from '../../exchange/fetch.ts';
import type { Receipt, ReceiptStore } from '../receipts.ts';
import type { CancelAccount } from './account.ts';
import { afterYes } from './confirmedInVain.ts';
import { readEvidence } from './evidence.ts';
import { followUp, historyPatienceMs, isOpenEnded } from './followUp.ts';
import { ForgivingReceipts } from './forgivingReceipts.ts';
import { readLocked } from './lockedOrders.ts';
import { fateOf } from './outcome.ts';
import { planCancelAll, type CancelPlan } from './plan.ts';
import { receiptOfSending, withEnd, withEvidence, withReadBack } from './receiptSteps.ts';
import { sendOnce, windowEnded } from './sending.ts';
import { step, type CancelEvent, type CancelState } from './states.ts';

export type CancelAllOptions = {
  readonly clock: Clock;
  readonly receipts: ReceiptStore;
  /** The account that is open. Rejects, in words, where nothing may be sent. */
  readonly account: () => Promise<CancelAccount>;
  /** Asks the person; `earlier` is what they said yes to, and what is so no more. */
  readonly confirm: (plan: CancelPlan, earlier: CancelPlan | undefined) => Promise<boolean>;
  /** Told when a receipt cannot be kept or read, or whoever looks on fails: a cancel-all goes on. */
  readonly onProblem: (error: unknown) => void;
};

/** What became of a cancel-all that was sent. */
export type CancelReport = {
  readonly receipt: Receipt;
  /** Its receipt stands in the store as it is here. */
  readonly isKept: boolean;
  /** The order history was asked and has not answered yet: what it shows is told by another report. */
  readonly awaitsHistory: boolean;
};

/**
 * Cancels every open order of the open account: plan, question, one request that is never sent again,
 * whatever happens, and after it only reads. One at a time in a window.
 */
export class CancelAll implements Disposable {
  private readonly options: CancelAllOptions;
  private readonly receipts: ForgivingReceipts;
  private readonly didChange: Emitter<CancelState>;
  private readonly didReport: Emitter<CancelReport>;
  private readonly disposal = new AbortController();
  /** Ends when a newer request leaves: what is locked from then on is no longer this one's. */
  private following = new AbortController();

  readonly onDidChange: Event<CancelState>;
  /** What became of one that was sent; again when reading on after an open end showed something new. */
  readonly onDidReport: Event<CancelReport>;

  /**
   * Runs from the plan to the report, or joins the one that runs. Rejects when nothing was sent for
   * want of an account or a plan, with ConfirmedInVain where somebody had said yes before; never for
   * what the request did: that is reported.
   */
  readonly press: () => Promise<void>;

  constructor(options: CancelAllOptions) {
    this.receipts = new ForgivingReceipts(options.receipts, options.onProblem);
    this.options = { ...options, receipts: this.receipts };
    this.didChange = new Emitter(options.onProblem);
    this.didReport = new Emitter(options.onProblem);
    this.onDidChange = this.didChange.event;
    this.onDidReport = this.didReport.event;
    this.press = singleFlight(() => this.run());
  }

  /** No request leaves any more, and nothing is read on; one that left is not cut off. */
  dispose(): void {
    this.disposal.abort();
    this.following.abort();
    this.didChange.dispose();
    this.didReport.dispose();
  }

  private async run(): Promise<void> {
    let state = step({ at: 'idle' }, { kind: 'pressed' });
    try {
      while (state.at !== 'idle' && state.at !== 'reported') {
        this.didChange.fire(state);
        state = step(state, await this.act(state));
      }
    } finally {
      this.didChange.fire(state.at === 'reported' ? state : { at: 'idle' });
    }
    if (state.at === 'reported') this.report(state);
  }

  /** Does what a state is there for, and says how it ended. */
  private act(state: Exclude<CancelState, { at: 'idle' | 'reported' }>): Promise<CancelEvent> {
    switch (state.at) {
      case 'planning':
        return state.agreed ? afterYes(this.plan()) : this.plan();
      case 'confirming':
        return this.ask(state);
      case 'sending':
        return this.send(state.plan);
      case 'verifying':
        return this.verify(state);
      default:
        return state satisfies never;
    }
  }

  private async plan(): Promise<CancelEvent> {
    const account = await this.options.account();
    prepareWrite().catch(this.options.onProblem);
    return { kind: 'planned', plan: await planCancelAll(account, this.options) };
  }

  private async ask({
    plan,
    earlier,
  }: Extract<CancelState, { at: 'confirming' }>): Promise<CancelEvent> {
    const isWanted = await this.options.confirm(plan, earlier);
    if (!isWanted || this.disposal.signal.aborted) return { kind: 'stopped' };
    const account = await afterYes(this.options.account());
    return { kind: 'confirmed', account, nowMs: this.options.clock.now() };
  }

  private async send(plan: CancelPlan): Promise<CancelEvent> {
    const { clock, receipts } = this.options;
    this.following.abort();
    const sending = receiptOfSending(plan, clock.now());
    await receipts.keep(sending);
    const ended = this.disposal.signal.aborted ? windowEnded : await sendOnce(plan.account);
    const receipt = withEnd(sending, ended, clock.now(), plan.account.scrub);
    await receipts.keep(receipt);
    return { kind: 'ended', ended, receipt };
  }

  private async verify({
    plan: { account },
    ended,
    receipt,
  }: Extract<CancelState, { at: 'verifying' }>): Promise<CancelEvent> {
    const { clock, receipts } = this.options;
    const isUnknown = fateOf(ended) === 'unknown';
    const history = isUnknown ? readEvidence(account, receipt.sentAt, clock) : undefined;
    const locked = await readLocked(account);
    const readBack = { at: clock.now(), locked, scrub: account.scrub };
    const evidence = history ? await soon(clock, historyPatienceMs, history) : null;
    const verified = withEvidence(withReadBack(receipt, ended, readBack), evidence ?? null);
    await receipts.keep(verified);
    const isAwaited = history !== undefined && evidence === undefined;
    return { kind: 'verified', receipt: verified, ...(isAwaited ? { history } : {}) };
  }

  private tell(receipt: Receipt, awaitsHistory: boolean): void {
    this.didReport.fire({ receipt, isKept: this.receipts.hasKept(receipt), awaitsHistory });
  }

  private report(reported: Extract<CancelState, { at: 'reported' }>): void {
    const { receipt, history } = reported;
    this.tell(receipt, history !== undefined);
    if (!isOpenEnded(receipt) && !history) return;
    this.following = new AbortController();
    const { signal } = this.following;
    if (this.disposal.signal.aborted) return;
    const tell = this.tell.bind(this);
    followUp(reported, { ...this.options, signal, tell }).catch((error: unknown) => {
      if (!signal.aborted) this.options.onProblem(error);
    });
  }
}
