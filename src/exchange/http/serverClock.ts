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

/**
 * How far the exchange's clock is ahead of ours, as far as its answers show. It changes only when
 * an answer contradicts it, by the middle of what the answer allows.
 */
export class ServerClock {
  private readonly clock: Clock;
  private readonly learned: LearnedConventionsStore | undefined;
  private offsetMs: number;
  /** What all answers since the last correction allow for `offsetMs`. */
  private bounds = { least: -Infinity, most: Infinity };
  private latestDate: { readonly serverMs: number; readonly span: RequestSpan } | undefined;
  private hasServerTime: boolean;
  private latestRead: { readonly at: number; readonly end: Promise<void> } | undefined;

  /** Starts as an earlier session learned it, unless this machine's clock was set since. */
  constructor(clock: Clock, learned?: LearnedConventionsStore) {
    this.clock = clock;
    this.learned = learned;
    const { aheadMs = 0, machineStartedAt = Number.NaN } = learned?.read().clock ?? {};
    this.hasServerTime = Math.abs(this.machineStartedAt - machineStartedAt) < secondMs;
    this.offsetMs = this.hasServerTime ? aheadMs : 0;
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
    const clock = { aheadMs: this.offsetMs, machineStartedAt: this.machineStartedAt };
    this.learned?.update((before) => ({ ...before, clock }));
  }

  /**
   * After a refusal that does not mention the time: has `read` read `serverTime`, once for all requests
   * that are refused within ten minutes. Without one, uses the latest `Date`.
   */
  async readAfterRefusal(read: () => Promise<unknown>): Promise<void> {
    const now = this.clock.steadyNow();
    const isRecent = this.latestRead && now - this.latestRead.at < timeReadIntervalMs;
    const useDate = (): void => {
      if (!this.hasServerTime) this.setFromRememberedDate();
    };
    if (!isRecent) this.latestRead = { at: now, end: read().then(useDate, useDate) };
    await this.latestRead?.end;
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

  /** By our clock, so that it shows whether that was set. */
  private get machineStartedAt(): number {
    return this.clock.now() - os.uptime() * secondMs;
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
