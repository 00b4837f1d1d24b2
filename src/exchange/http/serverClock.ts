import os from 'node:os';
import { isJsonObject, JsonNumber, type JsonValue } from '../../base/exactJson.ts';
import { minuteMs, parseTimestampMs, secondMs, type Clock } from '../../base/time.ts';
import type { LearnedConventionsStore } from '../conventions/learnedConventions.ts';
import type { FetchResponse } from './fetch.ts';

type Headers = FetchResponse['headers'];

/** Between sending a request and its answer, on our clock. */
export type RequestSpan = { readonly sentAtMs: number; readonly receivedAtMs: number };

/** A wrong key is refused each time: the time is read no more often than that. */
const timeReadIntervalMs = 10 * minuteMs;
/** No exchange refuses a request for less, and `Date` is no more precise. */
export const minUsefulCorrectionMs = 1000;

type TimeSource = 'serverTime' | 'date';
/** By how much the exchange's clock may be ahead. */
type Bounds = { readonly least: number; readonly most: number };

/**
 * How far the exchange's clock is ahead of ours, as far as its answers show. It changes only when
 * an answer contradicts it, by the middle of what the answer allows.
 */
export class ServerClock {
  private readonly clock: Clock;
  private readonly learned: LearnedConventionsStore | undefined;
  private offsetMs: number;
  /** What all answers since the last correction allow for `offsetMs`. */
  private bounds: Bounds = { least: -Infinity, most: Infinity };
  private readonly latest = new Map<TimeSource, Bounds>();
  /** What `offsetMs` comes from: `serverTime` once it was read, until a refusal shows that it is wrong. */
  private source: TimeSource | undefined;
  private latestRead: { readonly at: number; readonly end: Promise<void> } | undefined;

  /** Starts as an earlier session learned it, unless this machine's clock was set since. */
  constructor(clock: Clock, learned?: LearnedConventionsStore) {
    this.clock = clock;
    this.learned = learned;
    const { aheadMs = 0, machineStartedAt = Number.NaN } = learned?.read().clock ?? {};
    const isLearned = Math.abs(this.machineStartedAt - machineStartedAt) < secondMs;
    this.offsetMs = isLearned ? aheadMs : 0;
    if (isLearned) this.source = 'serverTime';
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
    const reading = boundsOf(serverMs, text?.length === 10 ? secondMs : 0, span);
    this.latest.set('serverTime', reading);
    this.source ??= 'serverTime';
    if (this.source === 'serverTime') this.use('serverTime', reading);
  }

  /** Has `read` read the time after a refusal that does not mention it: once for all within ten minutes. */
  async readAfterRefusal(read: () => Promise<void>): Promise<void> {
    const now = this.clock.steadyNow();
    const isRecent = this.latestRead && now - this.latestRead.at < timeReadIntervalMs;
    const forget = (): void => {
      this.latestRead = undefined;
    };
    if (!isRecent) this.latestRead = { at: now, end: read().catch(forget) };
    await this.latestRead?.end;
  }

  /** Remembers the `Date` of any answer. It may be a gateway's, so it proves nothing alone. */
  rememberDate(headers: Headers, span: RequestSpan): void {
    const reading = dateIn(headers, span);
    if (reading) this.latest.set('date', reading);
  }

  /** Uses the `Date` of an answer that is the exchange's own, unless `serverTime` is used, which is more precise. */
  setFromDate(headers: Headers, span: RequestSpan): void {
    const reading = dateIn(headers, span);
    if (reading && this.source !== 'serverTime') this.correct(reading);
  }

  /**
   * After a request that was signed with `refusedMs` was refused, perhaps for its time: uses the latest of
   * `serverTime` and `Date` that differs usefully, unless another answer corrected the time meanwhile.
   */
  moveOn(refusedMs: number): void {
    const isUseful = (aheadMs: number): boolean =>
      Math.abs(aheadMs - refusedMs) >= minUsefulCorrectionMs;
    if (isUseful(this.offsetMs)) return;
    const next = [...this.latest].find(
      ([, reading]) => this.contradicts(reading) && isUseful(middleOf(reading)),
    );
    if (next) this.use(...next);
  }

  /** By our clock, so that it shows whether that was set. */
  private get machineStartedAt(): number {
    return this.clock.now() - os.uptime() * secondMs;
  }

  private use(source: TimeSource, reading: Bounds): void {
    // While there is no `serverTime`, `Date` is used anyway: the first that is read replaces it.
    this.source &&= source;
    this.correct(reading);
    const clock = { aheadMs: this.offsetMs, machineStartedAt: this.machineStartedAt };
    this.learned?.update((before) => ({ ...before, clock }));
  }

  private contradicts({ least, most }: Bounds): boolean {
    return this.offsetMs < least || this.offsetMs > most;
  }

  private correct(reading: Bounds): void {
    const { least, most } = this.bounds;
    const isContradicted = this.contradicts(reading);
    if (isContradicted) this.offsetMs = middleOf(reading);
    this.bounds = isContradicted
      ? reading
      : { least: Math.max(reading.least, least), most: Math.min(reading.most, most) };
  }
}

/** What an answer shows that names a time, rounded down to `resolutionMs`. */
function boundsOf(serverMs: number, resolutionMs: number, span: RequestSpan): Bounds {
  return { least: serverMs - span.receivedAtMs, most: serverMs + resolutionMs - span.sentAtMs };
}

function middleOf({ least, most }: Bounds): number {
  return Math.round((least + most) / 2);
}

/** When the answer was created. One with an `Age` comes from a cache and is ignored. */
function dateIn(headers: Headers, span: RequestSpan): Bounds | undefined {
  const serverMs = Date.parse(headers.get('date') ?? '');
  if (Number.isNaN(serverMs) || headers.get('age') !== null) return undefined;
  return boundsOf(serverMs, secondMs, span);
}

/** `serverTime` as it came, a number or quoted. */
function serverTimeIn(information: JsonValue): string | undefined {
  if (!isJsonObject(information)) return undefined;
  const { serverTime } = information;
  const text = serverTime instanceof JsonNumber ? serverTime.text : serverTime;
  return typeof text === 'string' ? text : undefined;
}
