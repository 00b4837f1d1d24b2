import type { ListName } from '../api/operations.ts';
import type { Clock } from '../base/time.ts';
import type { ExchangeConventions } from './history/exchangeConventions.ts';
import { observeExchangeInfo } from './history/exchangeInfo.ts';
import { HistoryReader } from './history/reader.ts';
import type { Fetch } from './http/fetch.ts';
import { Redactor } from './http/redactor.ts';
import type { RequestLogEntry } from './http/requestLog.ts';
import { RequestWriter, type RequestWriterOptions } from './http/requestWriter.ts';
import { Requests, type ReadOptions } from './http/requests.ts';
import { ServerClock } from './http/serverClock.ts';
import type { RateLimiter, Reservation } from './rateLimit/rateLimiter.ts';
import { staleSince } from './rateLimit/staleLimits.ts';
import {
  answers,
  type Answer,
  type Account,
  type CanceledOrder,
  type Decoded,
  type ExchangeInformation,
  type SymbolInformation,
} from './records.ts';

export type ExchangeClientOptions = RequestWriterOptions & {
  readonly fetch: Fetch;
  readonly clock: Clock;
  /** Lets each request go when there is weight for it. */
  readonly rateLimiter: RateLimiter;
  /** The conventions of this exchange, as far as they are known. */
  readonly conventions: ExchangeConventions;
  /** The exchange's clock, which outlives the client; one of its own unless given. */
  readonly serverClock?: ServerClock;
  readonly onRequest?: (entry: RequestLogEntry) => void;
  /** For one request and its whole body, from when it is sent. */
  readonly deadlineMs?: number;
  readonly maxBodyBytes?: number;
  /** In [0, 1): spreads the pauses before a read is sent again. */
  readonly random?: () => number;
};

const defaults = {
  deadlineMs: 20_000,
  // A page of 10 000 rows has 3 MB; a bomb of many times the cap costs about four times the cap.
  maxBodyBytes: 8 * 1024 * 1024,
  random: Math.random,
};

/** The priority when weight is short, `interactive` by default, and the signal that aborts the request. */
export type RequestOptions = Omit<ReadOptions, 'isSingleAttempt'>;

/**
 * Where an open account, and what is made of one, has its client: `account` and `ledger` have this key. The
 * host does not, and goes through `account`, which reads histories by their rules, and writes. It is the same
 * in every bundle.
 */
export const clientKey = Symbol.for('marginDesk.client');

/**
 * The operations of the exchange's API. Each method throws ExchangeError, or the signal's reason when
 * aborted, and waits until the rate limit has room. The first request is preceded by exchange
 * information, which names the limits. A read may be sent again, as `retryRead` says, and a
 * history asked for in several ways, as `HistoryReader` says. A write is sent once.
 */
export class ExchangeClient {
  private readonly options: ExchangeClientOptions;
  private readonly requests: Requests;
  private readonly serverClock: ServerClock;
  readonly conventions: ExchangeConventions;
  /** Keeps the credentials out of what the exchange says. */
  readonly redactor: Redactor;
  /** Sections 4.1 to 4.4: one page of orders, trades, transactions, or lots of the whole exchange. */
  readonly history: HistoryReader['readPage'];
  readonly probeConventions: HistoryReader['probeConventions'];
  private listed: readonly SymbolInformation[] = [];

  constructor(given: ExchangeClientOptions) {
    const options = { ...defaults, ...given };
    const { clock, conventions } = options;
    this.options = options;
    this.conventions = conventions;
    this.redactor = new Redactor(options.credentials);
    this.serverClock = options.serverClock ?? new ServerClock(clock);
    const { overLimitStatuses } = conventions.current;
    const { redactor, serverClock } = this;
    this.requests = new Requests({
      ...{ ...options, overLimitStatuses, redactor, serverClock },
      writer: new RequestWriter(options),
      recallLimits: () => this.recallLimits(),
      onExchangeInfo: (information) => this.takeOver(information),
    });
    const { readPage, probeConventions } = new HistoryReader({
      conventions,
      requests: this.requests,
      serverNow: () => this.serverNow(),
      now: () => clock.now(),
    });
    this.history = readPage;
    this.probeConventions = probeConventions;
  }

  /** The exchange's time in epoch milliseconds, and no later than that, as far as its answers show. */
  serverNow(): number {
    return this.serverClock.reached();
  }

  /** Reads the exchange's time again where it may have become another. If it cannot be read, it stays. */
  renewTime(options?: RequestOptions): Promise<void> {
    return this.serverClock.renew(() => this.exchangeInfo(options));
  }

  /** How far the exchange's clock is ahead of ours, in milliseconds: by its `serverTime`, or by `Date` headers until one was read. */
  get clockAheadMs(): number {
    return this.serverClock.aheadMs;
  }

  /** The same of the steady clock, and by how much it may be wrong: Infinity if no answer shows it. */
  get steadyClock(): ServerClock['ofSteadyClock'] {
    return this.serverClock.ofSteadyClock;
  }

  /** As exchange information named them last; none until it was read. */
  get symbols(): readonly SymbolInformation[] {
    return this.listed;
  }

  /** Section 4.5: balances, positions and what open orders lock. */
  accounts(options?: RequestOptions): Promise<Decoded<Account>> {
    return this.requests.read({ operation: 'accounts', decoder: answers.accounts }, options);
  }

  /** A whole list, such as the leverage rules (section 4.8) or the fee tiers (section 4.9). */
  list<Name extends ListName>(
    operation: Name,
    options?: RequestOptions,
  ): Promise<Decoded<Answer<Name>>> {
    return this.requests.read({ operation, decoder: answers[operation] }, options);
  }

  /** Section 4.7: symbols, rate limits and the server's time. */
  exchangeInfo(options?: RequestOptions): Promise<Decoded<ExchangeInformation>> {
    return this.requests.readInfo(options);
  }

  /**
   * Reserves room in the limit for one cancel-all, ahead of all other requests, within `waitMs`. Who does not
   * give it to `cancelAll` completes it as `unsent`.
   */
  reserveCancelAll(waitMs: number, signal: AbortSignal): Promise<Reservation> {
    return this.requests.reserveWrite('cancelAll', { waitMs, signal });
  }

  /** Section 4.6: cancels every open order. It cannot be aborted: half a cancel is unknown. */
  cancelAll(room: Reservation): Promise<Decoded<readonly CanceledOrder[]>> {
    return this.requests.write({ operation: 'cancelAll', decoder: answers.cancelAll }, room);
  }

  /** Those that exchange information gave last, until it is read again. */
  private recallLimits(): void {
    const lastKnown = this.conventions.learned.information?.rateLimits;
    const limits = lastKnown?.map((limit) => ({ ...limit, extra: {} }));
    if (limits) this.options.rateLimiter.setLimits(limits, staleSince);
  }

  private takeOver(information: ExchangeInformation): void {
    const { rateLimiter, clock } = this.options;
    rateLimiter.setLimits(information.rateLimits);
    this.listed = information.symbols;
    const observation = observeExchangeInfo(information, {
      aheadMs: this.clockAheadMs,
      readAt: clock.now(),
      scrub: (text) => this.redactor.redact(text),
    });
    this.conventions.recordExchangeInfo(observation);
  }
}
