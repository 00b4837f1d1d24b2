import type { Clock } from '../base/clock.ts';
import { DeadlinePassed, pause, within } from '../base/deadline.ts';
import type { Understand } from './answer.ts';
import type { ClockOffset } from './clockOffset.ts';
import type { QueryPairs } from './dialect/dialect.ts';
import { ExchangeError, type Failure } from './errors.ts';
import { isRefusedForTime } from './failures.ts';
import type { JsonValue } from './json.ts';
import { patienceMs, type Priority } from './ledger/priority.ts';
import { operations, type OperationName } from './operations.ts';
import { isSentAgain, maxAttempts, pauseBeforeNextMs } from './retry.ts';
import { TimeBudget } from './timeBudget.ts';

/** Whose turn it is when weight is short, and what ends the wait and the request. */
export type Sending = {
  readonly priority: Priority;
  readonly signal?: AbortSignal | undefined;
  /** Never sent again: what it costs is bounded. */
  readonly isOnce?: boolean;
  /** What is left of the time that all requests of one read have together; unless given, one deadline. */
  readonly budget?: TimeBudget;
};

/** The operations that change nothing, and so may be sent again. */
export type ReadName = {
  [Name in OperationName]: (typeof operations)[Name]['method'] extends 'GET' ? Name : never;
}[OperationName];

export function isRead(name: OperationName): name is ReadName {
  return operations[name].method === 'GET';
}

export type ReadsOptions = {
  readonly clock: Clock;
  readonly clockOffset: ClockOffset;
  /** In [0, 1). */
  readonly random: () => number;
  /** For one request and its whole body, from the sending on. */
  readonly deadlineMs: number;
  /** Whether an operation's request carries the time. */
  readonly isTimed: (name: OperationName) => boolean;
  /** Takes weight, sends one request and understands its answer. */
  readonly sendOnce: <Value>(
    name: OperationName,
    pairs: QueryPairs,
    sending: Sending,
    attempt: number,
    understand: Understand<Value>,
  ) => Promise<Value>;
};

/** One read on its way to an answer, however often it is sent. */
type Read<Value> = {
  readonly name: ReadName;
  readonly pairs: QueryPairs;
  readonly sending: Sending & { readonly signal: AbortSignal; readonly budget: TimeBudget };
  readonly understand: Understand<Value>;
};

/** Sends reads, and sends again those that may be answered then. No write can be given to it. */
export class Reads {
  private readonly options: ReadsOptions;

  constructor(options: ReadsOptions) {
    this.options = options;
  }

  /**
   * The answer to the first of at most three requests that gets one. Rejects with ExchangeError, or the
   * signal's reason. For somebody who looks on, waiting for weight, pauses and all requests together
   * take no longer than one request may: his patience and one deadline. For others the wait for weight
   * is as long as the limit makes it, and whoever runs them can abort it; all requests and pauses of a
   * refresh have one deadline together, as the next one comes soon, and those of bulk have three.
   */
  async send<Value>(
    name: ReadName,
    pairs: QueryPairs,
    { priority, signal }: Sending,
    understand: Understand<Value>,
  ): Promise<Value> {
    const { clock, deadlineMs } = this.options;
    const deadlines = priority === 'refresh' ? 1 : maxAttempts;
    const budget = new TimeBudget(clock, deadlines * deadlineMs);
    try {
      return await within(clock, patienceMs(priority) + deadlineMs, signal, (ending) => {
        const sending = { priority, signal: ending, budget };
        return this.attempt({ name, pairs, sending, understand }, 1, true);
      });
    } catch (error) {
      if (!(error instanceof DeadlinePassed)) throw error;
      throw new ExchangeError({ kind: 'timeout', sent: 'no', operation: name });
    }
  }

  private async attempt<Value>(
    read: Read<Value>,
    attempt: number,
    mayResign: boolean,
  ): Promise<Value> {
    const { name, pairs, sending, understand } = read;
    const { aheadMs } = this.options.clockOffset;
    try {
      return await this.options.sendOnce(name, pairs, sending, attempt, understand);
    } catch (error) {
      if (!(error instanceof ExchangeError) || attempt === maxAttempts) throw error;
      const isForTime = this.options.isTimed(name) && isRefusedForTime(error.failure);
      const isResigned = isForTime && mayResign;
      // The serverTime that it was signed by anew is no help either: the next read goes by Date.
      if (isForTime && !mayResign) this.options.clockOffset.goByDate();
      try {
        const isReady = isResigned
          ? await this.resynchronise(sending, aheadMs)
          : await this.pauseAfter(error.failure, attempt, sending);
        if (isReady) return await this.attempt(read, attempt + 1, mayResign && !isResigned);
      } catch (later) {
        if (sending.budget.leftMs > 0 && tellsMore(later)) throw later;
      }
      throw error;
    }
  }

  /** Waits before the next attempt; false where there is to be none. */
  private async pauseAfter(failure: Failure, attempt: number, sending: Read<unknown>['sending']) {
    if (!isSentAgain(failure, attempt, sending.priority)) return false;
    const { clock, random } = this.options;
    const pauseMs = pauseBeforeNextMs(failure, attempt, random);
    if (pauseMs >= sending.budget.leftMs) return false;
    await sending.budget.spend(() => pause(clock, pauseMs, sending.signal));
    return true;
  }

  /**
   * Asks for the server's time, once, and goes by the header `Date` where exchange information has
   * none or only the one we went by, as a cached one does. False where our time was right after all,
   * when it was `aheadMs` ahead; another answer may have set it since.
   */
  private async resynchronise(sending: Sending, aheadMs: number): Promise<boolean> {
    const { clockOffset, sendOnce } = this.options;
    await sendOnce('exchangeInfo', [], sending, 1, asItIs).catch(nothingOfExchange);
    if (Math.abs(clockOffset.aheadMs - aheadMs) < leastHelpMs) clockOffset.goByDate();
    return clockOffset.aheadMs !== aheadMs;
  }
}

/** No exchange refuses a request for less, and `Date` tells no more. */
const leastHelpMs = 1000;

function asItIs(answer: JsonValue): JsonValue {
  return answer;
}

function nothingOfExchange(error: unknown): null {
  if (error instanceof ExchangeError) return null;
  throw error;
}

/** An attempt that was not let go, for want of time or weight, leaves the failure before it to be told. */
function tellsMore(later: unknown): boolean {
  if (later instanceof DeadlinePassed) return false;
  if (!(later instanceof ExchangeError)) return true;
  const { kind, sent } = later.failure;
  return !(kind === 'rateLimited' && sent === 'no');
}
