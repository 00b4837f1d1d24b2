import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import { phrase } from '../../base/phrase.ts';
import { singleFlight } from '../../base/singleFlight.ts';
import { prepareWrite } from '../../exchange/fetch.ts';
import type { Receipt, ReceiptStore } from '../receipts.ts';
import type { CancelAccount } from './account.ts';
import { readEvidence } from './evidence.ts';
import { followUp, isOpenEnded } from './followUp.ts';
import { ForgivingReceipts } from './forgivingReceipts.ts';
import { readLocked } from './lockedOrders.ts';
import { failureOf, fateOf, type Ended } from './outcome.ts';
import { planCancelAll, type CancelPlan } from './plan.ts';
import { receiptOfSending, withEnd, withEvidence, withReadBack } from './receiptSteps.ts';
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

/** What became of a cancel-all that was sent; `isKept`: its receipt stands in the store as it is here. */
export type CancelReport = { readonly receipt: Receipt; readonly isKept: boolean };

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
    const [locked, evidence] = await Promise.all([
      readLocked(account),
      isUnknown ? readEvidence(account, receipt.sentAt, clock) : null,
    ]);
    const readBack = { at: clock.now(), locked, scrub: account.scrub };
    const verified = withEvidence(withReadBack(receipt, ended, readBack), evidence);
    await receipts.keep(verified);
    return { kind: 'verified', receipt: verified };
  }

  private tell(receipt: Receipt): void {
    this.didReport.fire({ receipt, isKept: this.receipts.hasKept(receipt) });
  }

  private report(reported: Extract<CancelState, { at: 'reported' }>): void {
    this.tell(reported.receipt);
    if (!isOpenEnded(reported.receipt)) return;
    this.following = new AbortController();
    const { signal } = this.following;
    if (this.disposal.signal.aborted) return;
    followUp(reported, { ...this.options, signal }).then(
      (news) => {
        if (news && !signal.aborted) this.tell(news);
      },
      (error: unknown) => this.options.onProblem(error),
    );
  }
}

/** Somebody said yes, and before anything was sent the plan was cut off, as when another account is opened. */
export class ConfirmedInVain extends Error {
  override readonly name = 'ConfirmedInVain';
}

/** An abort ends what nobody waits for without a word; whoever said yes waits for an end. */
async function afterYes<T>(doing: Promise<T>): Promise<T> {
  try {
    return await doing;
  } catch (error) {
    const isAbort = error instanceof Error && error.name === 'AbortError';
    throw isAbort ? new ConfirmedInVain(undefined, { cause: error }) : error;
  }
}

const windowEnded: Ended = {
  kind: 'failed',
  failure: {
    kind: 'configuration',
    sent: 'no',
    operation: 'cancelAll',
    detail: phrase('its window was ending'),
  },
};

async function sendOnce({ client }: CancelAccount): Promise<Ended> {
  try {
    const { value: canceled, badRecords } = await client.cancelAll();
    return { kind: 'answered', canceled, badRecords };
  } catch (thrown) {
    return { kind: 'failed', failure: failureOf(thrown) };
  }
}
