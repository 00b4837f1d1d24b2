import type { Clock } from '../base/clock.ts';
import { soon, within } from '../base/deadline.ts';
import type { Understand } from './answer.ts';
import { ClockOffset } from './clockOffset.ts';
import { defaultDialect, type QueryPairs } from './dialect/dialect.ts';
import type { Fetch } from './fetch.ts';
import { HttpExchange } from './httpExchange.ts';
import type { Reservation, WeightLedger } from './ledger/weightLedger.ts';
import { operations, type OperationName } from './operations.ts';
import { isRead, Reads, type Sending } from './reads.ts';
import { recordOf, type RequestRecord } from './requestRecord.ts';
import { RequestWriter, type RequestWriterOptions } from './requestWriter.ts';
import { Teller } from './telling.ts';
import { TimeBudget } from './timeBudget.ts';

export type TransportOptions = RequestWriterOptions & {
  readonly fetch: Fetch;
  readonly clock: Clock;
  /** Lets each request go when there is weight for it. */
  readonly ledger: WeightLedger;
  readonly onRequest?: (record: RequestRecord) => void;
  /** For one request and its whole body, from the sending on. */
  readonly deadlineMs?: number;
  readonly maxBodyBytes?: number;
  /** The statuses that say that the limit was passed. */
  readonly overLimitStatuses?: readonly number[];
  /** In [0, 1): spreads the pauses before a read is sent again. */
  readonly random?: () => number;
};

const defaults = {
  deadlineMs: 20_000,
  // A page of 10 000 rows has 3 MB; a bomb of many times the cap costs about four times the cap.
  maxBodyBytes: 8 * 1024 * 1024,
  overLimitStatuses: defaultDialect.overLimitStatuses,
  random: Math.random,
};

/** Sends the operations of one exchange: as weight allows, within a deadline, a read again where it may be. */
export class Transport {
  private readonly options: TransportOptions & typeof defaults;
  private readonly clockOffset = new ClockOffset();
  private readonly writer: RequestWriter;
  private readonly http: HttpExchange;
  private readonly reads: Reads;
  /** Makes what the exchange says fit to be told. */
  readonly teller: Teller;

  constructor(options: TransportOptions) {
    this.options = { ...defaults, ...options };
    this.writer = new RequestWriter(options);
    this.teller = new Teller(options.credentials);
    const { clockOffset, writer, teller } = this;
    const { clock, random, deadlineMs } = this.options;
    this.http = new HttpExchange({
      ...this.options,
      clockOffset,
      writer,
      told: (failure) => teller.error(failure),
    });
    this.reads = new Reads({
      clock,
      clockOffset,
      random,
      deadlineMs,
      isTimed: (name) => writer.isTimed(name),
      sendOnce: (...sending) => this.sendOnce(...sending),
    });
  }

  /** How far the exchange's clock is ahead of ours, as far as its answers show, in milliseconds. */
  get clockAheadMs(): number {
    return this.clockOffset.aheadMs;
  }

  /** What every request of this transport is booked in. */
  get ledger(): WeightLedger {
    return this.options.ledger;
  }

  /** Our own time in epoch milliseconds. */
  now(): number {
    return this.options.clock.now();
  }

  /** What work gives, or undefined where that takes longer by our clock: the work goes on. */
  soon<Value>(patienceMs: number, work: Promise<Value>): Promise<Value | undefined> {
    return soon(this.options.clock, patienceMs, work);
  }

  /** The exchange's time in epoch milliseconds. */
  serverNow(): number {
    return this.now() + this.clockAheadMs;
  }

  /**
   * Waits for weight, sends a request and gives what `understand` makes of its answer. Throws
   * ExchangeError, or the signal's reason when the caller aborted. A read may be sent again, as `Reads`
   * says; a write never is.
   */
  send<Value>(
    name: OperationName,
    pairs: QueryPairs,
    sending: Sending,
    understand: Understand<Value>,
  ): Promise<Value> {
    return isRead(name) && !sending.isOnce
      ? this.reads.send(name, pairs, sending, understand)
      : this.sendOnce(name, pairs, sending, 1, understand);
  }

  private async sendOnce<Value>(
    name: OperationName,
    pairs: QueryPairs,
    sending: Sending,
    attempt: number,
    understand: Understand<Value>,
  ): Promise<Value> {
    this.writer.refuse(name);
    const { clock, deadlineMs, onRequest } = this.options;
    const { budget = new TimeBudget(clock, deadlineMs) } = sending;
    const reservation = await this.reserve(name, sending);
    // Nothing may be awaited between this and the sending: an abort meanwhile would leave it booked.
    if (sending.signal?.aborted) reservation.end({ kind: 'unsent' });
    sending.signal?.throwIfAborted();
    const sentAtMs = clock.now();
    let end: unknown;
    try {
      const { status, answer } = await budget.spend((leftMs) =>
        within(clock, Math.min(leftMs, deadlineMs), sending.signal, (ending) =>
          this.http.send(name, pairs, reservation, ending),
        ),
      );
      end = status;
      const span = { sentAtMs, receivedAtMs: clock.now() };
      if (name === 'exchangeInfo') this.clockOffset.noteInformation(answer, span);
      return understand(answer, status);
    } catch (error) {
      end = error;
      throw error;
    } finally {
      const durationMs = clock.now() - sentAtMs;
      onRequest?.(recordOf(name, pairs, sending.priority, attempt, durationMs, end));
    }
  }

  private reserve(name: OperationName, { priority, signal }: Sending): Promise<Reservation> {
    const { ledger, deadlineMs: longestMs } = this.options;
    const { weight } = operations[name];
    return ledger.acquire({ operation: name, weight, priority, longestMs }, signal);
  }
}
