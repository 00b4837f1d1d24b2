import os from 'node:os';
import { isJsonObject, JsonNumber, type JsonValue } from '../../base/exactJson.ts';
import { hourMs, minuteMs, parseTimestampMs, secondMs, type Clock } from '../../base/time.ts';
import type { FetchResponse } from './fetch.ts';

type Headers = FetchResponse['headers'];

type Span = { readonly sentAtMs: number; readonly receivedAtMs: number };
/** Between sending a request and its answer, on our clock, which may be set meanwhile. */
type RequestSpan = Span & { readonly steady: Span };

/** The returned function ends the span. */
export function startSpan(clock: Clock): () => RequestSpan {
  const [sentAtMs, steadySentAtMs] = [clock.now(), clock.steadyNow()];
  return () => ({
    sentAtMs,
    receivedAtMs: clock.now(),
    steady: { sentAtMs: steadySentAtMs, receivedAtMs: clock.steadyNow() },
  });
}

/** A wrong key is refused each time: the time is read no more often than that. */
const timeReadIntervalMs = 10 * minuteMs;
/** No exchange refuses a request for less, and `Date` is no more precise. */
export const minUsefulCorrectionMs = 1000;
/** The steady clock may be wrong by a second or so in a day. */
const longestUnreadMs = hourMs;
/** Two clocks of which neither was set nor stood still differ no more than this in that time. */
const mostDriftMs = 3 * secondMs;

/** How far ahead its `serverTime` was, and when this machine started, by the clock that it was compared with. */
type KeptTime = { readonly aheadMs: number; readonly machineStartedAt: number };

/** Keeps the exchange's time for later sessions. */
type KeptTimes = { get(): KeptTime | undefined; set(time: KeptTime): void };

type TimeSource = 'serverTime' | 'date';
/** By how much the exchange's clock may be ahead. */
type Bounds = { readonly least: number; readonly most: number };

/**
 * How far the exchange's clock is ahead of ours, as far as its answers show. It changes only when
 * an answer contradicts it, by the middle of what the answer allows. Requests are signed by it. What is
 * stored has a time that is carried on by the steady clock, as anybody may set the other.
 */
export class ServerClock {
  private readonly clock: Clock;
  private readonly kept: KeptTimes | undefined;
  private offsetMs: number;
  private readonly latest = new Map<TimeSource, Bounds>();
  /** What `offsetMs` comes from: `serverTime` once it was read, until a refusal shows that it is wrong. */
  private source: TimeSource | undefined;
  /** What answers allow for how far the exchange's clock is ahead of the steady one. */
  private readonly steady = new Map<TimeSource, Bounds>();
  /** When the exchange's time was asked for, and what the other clocks showed then. */
  private asked: { readonly at: number; readonly differences: readonly number[] } | undefined;
  private triedAt = Number.NEGATIVE_INFINITY;
  private latestRead: { readonly at: number; readonly end: Promise<void> } | undefined;

  /** Starts as an earlier session learned it, unless this machine's clock was set since. */
  constructor(clock: Clock, kept?: KeptTimes) {
    this.clock = clock;
    this.kept = kept;
    const { aheadMs = 0, machineStartedAt = Number.NaN } = kept?.get() ?? {};
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

  /**
   * The exchange's time, and no later than that, whatever our clock shows: by `serverTime`, or by `Date` if that
   * is earlier. By our clock until an answer named one.
   */
  reached(): number {
    const leasts = this.steadyBounds.map(({ least }) => least);
    if (leasts.length === 0) return Math.floor(this.now());
    return Math.floor(this.clock.steadyNow() + Math.min(...leasts));
  }

  /** Milliseconds to add to the steady clock, and by how much they may be wrong: Infinity if no answer shows it. */
  get ofSteadyClock(): { readonly aheadMs: number; readonly errorMs: number } {
    const [bounds] = this.steadyBounds;
    if (!bounds || this.hasMoved) return { aheadMs: 0, errorMs: Infinity };
    const aheadMs = middleOf(bounds);
    return { aheadMs, errorMs: Math.max(aheadMs - bounds.least, bounds.most - aheadMs) };
  }

  /** Has `read` read the time if it may have become another. A read that failed is repeated after a minute. */
  async renew(read: () => Promise<unknown>): Promise<void> {
    const { asked } = this;
    const now = this.clock.steadyNow();
    const isRecent = asked && now - asked.at <= longestUnreadMs && !this.hasMoved;
    if (isRecent || now - this.triedAt < minuteMs) return;
    this.triedAt = now;
    await read().catch(() => undefined);
  }

  /** Reads the `serverTime` of exchange information (section 4.7). */
  setFromServerTime(information: JsonValue, span: RequestSpan): void {
    const text = serverTimeIn(information);
    this.triedAt = Number.NEGATIVE_INFINITY;
    this.asked = { at: this.clock.steadyNow(), differences: this.differences };
    const serverMs = text === undefined ? undefined : parseTimestampMs(text);
    if (serverMs === undefined) return;
    const resolutionMs = text?.length === 10 ? secondMs : 0;
    const reading = boundsOf(serverMs, resolutionMs, span);
    this.setSteady('serverTime', boundsOf(serverMs, resolutionMs, span.steady));
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
    const steady = dateIn(headers, span.steady);
    if (steady) this.setSteady('date', steady);
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

  /** First what the time of requests comes from, if an answer of this session named it. */
  private get steadyBounds(): readonly Bounds[] {
    const [serverTime, date] = [this.steady.get('serverTime'), this.steady.get('date')];
    if (this.source === 'date' && date) return [date];
    return [serverTime, date].filter((bounds) => bounds !== undefined);
  }

  /** Whether other clocks show that the steady one stood still, as while a machine is suspended. */
  private get hasMoved(): boolean {
    const now = this.differences;
    return (this.asked?.differences ?? []).some(
      (before, index) => Math.abs(before - (now[index] ?? before)) > mostDriftMs,
    );
  }

  /** How far our clock, and a `Date`, are ahead of the steady clock. */
  private get differences(): readonly number[] {
    const date = this.steady.get('date');
    return [this.clock.now() - this.clock.steadyNow(), date ? middleOf(date) : Number.NaN];
  }

  private setSteady(source: TimeSource, reading: Bounds): void {
    const before = this.steady.get(source);
    this.steady.set(source, (before && overlapOf(before, reading)) ?? reading);
  }

  private use(source: TimeSource, reading: Bounds): void {
    // While there is no `serverTime`, `Date` is used anyway: the first that is read replaces it.
    this.source &&= source;
    this.correct(reading);
    this.kept?.set({ aheadMs: this.offsetMs, machineStartedAt: this.machineStartedAt });
  }

  private contradicts({ least, most }: Bounds): boolean {
    return this.offsetMs < least || this.offsetMs > most;
  }

  private correct(reading: Bounds): void {
    if (this.contradicts(reading)) this.offsetMs = middleOf(reading);
  }
}

/** What an answer shows that names a time, rounded down to `resolutionMs`. */
function boundsOf(serverMs: number, resolutionMs: number, span: Span): Bounds {
  return { least: serverMs - span.receivedAtMs, most: serverMs + resolutionMs - span.sentAtMs };
}

/** Undefined if they contradict each other. */
function overlapOf(one: Bounds, other: Bounds): Bounds | undefined {
  const overlap = {
    least: Math.max(one.least, other.least),
    most: Math.min(one.most, other.most),
  };
  return overlap.least <= overlap.most ? overlap : undefined;
}

function middleOf({ least, most }: Bounds): number {
  return Math.round((least + most) / 2);
}

/** When the answer was created. One with an `Age` comes from a cache and is ignored. */
function dateIn(headers: Headers, span: Span): Bounds | undefined {
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
