import { epochMsOf } from '../base/instant.ts';
import type { FetchResponse } from './fetch.ts';
import { isJsonObject, JsonNumber, type JsonValue } from './json.ts';

type Headers = FetchResponse['headers'];

/** Between sending a request and its answer, on our clock. */
export type Span = { readonly sentAtMs: number; readonly receivedAtMs: number };

const secondMs = 1000;

/**
 * How far the exchange's clock is ahead of ours, as far as its answers show. It changes only when
 * an answer contradicts it, by the middle of what the answer allows.
 */
export class ClockOffset {
  private offsetMs = 0;
  private latestDate: { readonly serverMs: number; readonly span: Span } | undefined;
  private hasServerTime = false;

  /** Milliseconds to add to our time. */
  get aheadMs(): number {
    return this.offsetMs;
  }

  /** Reads the `serverTime` of exchange information (section 4.7). */
  noteInformation(information: JsonValue, span: Span): void {
    const text = serverTimeIn(information);
    const serverMs = text === undefined ? undefined : epochMsOf(text);
    if (serverMs === undefined) return;
    this.hasServerTime = true;
    this.learn(serverMs, text?.length === 10 ? secondMs : 0, span);
  }

  /** Remembers the `Date` of any answer. It may be a gateway's: nothing follows from it by itself. */
  noteDate(headers: Headers, span: Span): void {
    const serverMs = dateIn(headers);
    if (serverMs !== undefined) this.latestDate = { serverMs, span };
  }

  /** Goes by the `Date` of an answer that is the exchange's own, until a `serverTime` was read, which tells more. */
  trustDate(headers: Headers, span: Span): void {
    const serverMs = dateIn(headers);
    if (serverMs !== undefined && !this.hasServerTime) this.learn(serverMs, secondMs, span);
  }

  /** Goes by the latest `Date`, for want of a `serverTime`. */
  goByDate(): void {
    if (this.latestDate) this.learn(this.latestDate.serverMs, secondMs, this.latestDate.span);
  }

  private learn(serverMs: number, resolutionMs: number, { sentAtMs, receivedAtMs }: Span): void {
    const [least, most] = [serverMs - receivedAtMs, serverMs + resolutionMs - sentAtMs];
    if (this.offsetMs < least || this.offsetMs > most)
      this.offsetMs = Math.round((least + most) / 2);
  }
}

/** When the answer was made; one with an `Age` was kept by a cache, and is of no use. */
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
