import { isJsonObject, JsonNumber, type JsonValue } from '../../base/exactJson.ts';
import { parseTimestampMs, secondMs, type Clock } from '../../base/time.ts';
import type { FetchResponse } from './fetch.ts';

type Headers = FetchResponse['headers'];

/** Between sending a request and its answer, on our clock. */
export type RequestSpan = { readonly sentAtMs: number; readonly receivedAtMs: number };

/**
 * How far the exchange's clock is ahead of ours, as far as its answers show. It changes only when
 * an answer contradicts it, by the middle of what the answer allows.
 */
export class ServerClock {
  private readonly clock: Clock;
  private offsetMs = 0;
  /** What all answers since the last correction allow for `offsetMs`. */
  private bounds = { least: -Infinity, most: Infinity };
  private latestDate: { readonly serverMs: number; readonly span: RequestSpan } | undefined;
  private hasServerTime = false;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** The exchange's time in epoch milliseconds. */
  now(): number {
    return this.clock.now() + this.offsetMs;
  }

  /** Milliseconds to add to our time. */
  get aheadMs(): number {
    return this.offsetMs;
  }

  /** By how much `aheadMs` may be wrong; Infinity until an answer named a time. */
  get errorMs(): number {
    const { least, most } = this.bounds;
    return Math.max(this.offsetMs - least, most - this.offsetMs);
  }

  /** Reads the `serverTime` of exchange information (section 4.7). */
  setFromServerTime(information: JsonValue, span: RequestSpan): void {
    const text = serverTimeIn(information);
    const serverMs = text === undefined ? undefined : parseTimestampMs(text);
    if (serverMs === undefined) return;
    this.hasServerTime = true;
    this.correct(serverMs, text?.length === 10 ? secondMs : 0, span);
  }

  /** Remembers the `Date` of any answer. It may be a gateway's, so it proves nothing alone. */
  rememberDate(headers: Headers, span: RequestSpan): void {
    const serverMs = dateIn(headers);
    if (serverMs !== undefined) this.latestDate = { serverMs, span };
  }

  /** Uses the `Date` of an answer that is the exchange's own, until a `serverTime` was read, which is more precise. */
  setFromDate(headers: Headers, span: RequestSpan): void {
    const serverMs = dateIn(headers);
    if (serverMs !== undefined && !this.hasServerTime) this.correct(serverMs, secondMs, span);
  }

  /** Uses the `Date` of an answer that refused our time, also after a `serverTime`, which was wrong then. */
  setFromRefusal(headers: Headers, span: RequestSpan): void {
    const serverMs = dateIn(headers);
    if (serverMs !== undefined) this.correct(serverMs, secondMs, span);
  }

  /** Uses the latest `Date` if there is no `serverTime`. */
  setFromRememberedDate(): void {
    if (this.latestDate) this.correct(this.latestDate.serverMs, secondMs, this.latestDate.span);
  }

  private correct(
    serverMs: number,
    resolutionMs: number,
    { sentAtMs, receivedAtMs }: RequestSpan,
  ): void {
    const [least, most] = [serverMs - receivedAtMs, serverMs + resolutionMs - sentAtMs];
    const isContradicted = this.offsetMs < least || this.offsetMs > most;
    if (isContradicted) this.offsetMs = Math.round((least + most) / 2);
    this.bounds = isContradicted
      ? { least, most }
      : { least: Math.max(least, this.bounds.least), most: Math.min(most, this.bounds.most) };
  }
}

/** When the answer was created. One with an `Age` comes from a cache and is ignored. */
function dateIn(headers: Headers): number | undefined {
  const serverMs = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(serverMs) || headers.get('age') !== null ? undefined : serverMs;
}

/** `serverTime` as it came, a number or quoted. */
function serverTimeIn(information: JsonValue): string | undefined {
  if (!isJsonObject(information)) return undefined;
  const { serverTime } = information;
  const text = serverTime instanceof JsonNumber ? serverTime.text : serverTime;
  return typeof text === 'string' ? text : undefined;
}
