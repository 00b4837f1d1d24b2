import { textOf, type NumberText } from '../../base/decimal.ts';
import { dayMs, hourMs, minuteMs } from '../../base/time.ts';
import type { TimeZone } from '../../base/timeZone.ts';

/** Maps a value to a place in CSS pixels. */
export type Scale = (value: number) => number;

export function linear(from: readonly [number, number], to: readonly [number, number]): Scale {
  const [first, last] = from;
  const span = last - first;
  if (span === 0) return () => (to[0] + to[1]) / 2;
  return (value) => to[0] + ((value - first) / span) * (to[1] - to[0]);
}

/** About `count` round values, each with its exact text, that enclose a range; a range without a length is widened around it. */
export function valueTicks(min: number, max: number, count: number) {
  const span = max - min || Math.abs(max) || 1;
  // A float has no room for smaller steps.
  const exponent = Math.max(-300, Math.floor(Math.log10(span / count)));
  const rest = span / count / 10 ** exponent;
  const step = rest > 5 ? 10 : rest > 2 ? 5 : rest > 1 ? 2 : 1;
  const unit = step * 10 ** exponent;
  const first = Math.floor(roundNear(min / unit));
  const last = Math.max(first + 1, Math.ceil(roundNear(max / unit)));
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const text = multipleText(BigInt(first + index) * BigInt(step), exponent);
    return { value: Number(text), text };
  });
}

/** 2.9999999999 is 3: a float is not exact. */
function roundNear(value: number): number {
  const whole = Math.round(value);
  return Math.abs(value - whole) < 1e-9 ? whole : value;
}

function multipleText(multiple: bigint, exponent: number): NumberText {
  const fraction = Math.max(0, -exponent);
  return textOf({ integer: multiple * 10n ** BigInt(fraction + exponent), fraction });
}

/** A line of the time axis. */
type TimeTick = { readonly at: number; readonly label: string };

type TimeStep = {
  readonly size: number;
  readonly unit: 'minute' | 'day' | 'month';
  readonly lengthMs: number;
};

const steps: readonly TimeStep[] = [
  ...[1, 5, 15, 30, 60, 180, 360, 720].map((size) => step(size, 'minute', minuteMs)),
  ...[1, 2, 7, 14].map((size) => step(size, 'day', dayMs)),
  ...[1, 3, 6, 12, 24, 60, 120].map((size) => step(size, 'month', 30.44 * dayMs)),
];

function step(size: number, unit: TimeStep['unit'], unitMs: number): TimeStep {
  return { size, unit, lengthMs: size * unitMs };
}

/** At most `count` round times of the zone within a period. */
export function timeTicks(
  from: number,
  to: number,
  count: number,
  zone: TimeZone,
): readonly TimeTick[] {
  const found = steps.find(({ lengthMs }) => (to - from) / lengthMs <= count) ?? steps.at(-1);
  return found ? [...localTicks(from, to, found, zone)] : [];
}

function* localTicks(
  from: number,
  to: number,
  step: TimeStep,
  zone: TimeZone,
): Generator<TimeTick> {
  let local = floorLocal(zone.toLocalMs(from), step);
  // Beyond the end of the longest month, and not beyond that of the next one.
  for (; ; local = floorLocal(local + 1.02 * step.lengthMs, step)) {
    const at = zone.toEpochMs(local);
    if (at > to) return;
    if (at >= from) yield { at, label: tickLabel(local, step) };
  }
}

/** The days of a step of weeks are Mondays. */
const firstMonday = 4 * dayMs;

function floorLocal(local: number, { size, unit, lengthMs }: TimeStep): number {
  if (unit === 'month') {
    const date = new Date(local);
    const month = date.getUTCFullYear() * 12 + date.getUTCMonth();
    return Date.UTC(1970, Math.floor(month / size) * size - 1970 * 12, 1);
  }
  const start = unit === 'day' && size % 7 === 0 ? firstMonday : 0;
  return start + Math.floor((local - start) / lengthMs) * lengthMs;
}

/** As all dates of the product are written; a time at midnight is its day. */
function tickLabel(local: number, { size, unit }: TimeStep): string {
  const iso = new Date(local).toISOString();
  if (unit === 'month') return size % 12 === 0 ? iso.slice(0, 4) : iso.slice(0, 7);
  if (unit === 'day' || local % (24 * hourMs) === 0) return iso.slice(5, 10);
  return iso.slice(11, 16);
}
