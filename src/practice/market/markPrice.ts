import type Big from 'big.js';
import { hourMs, minuteMs, secondMs } from '../../base/time.ts';
import { instruments, type Instrument } from './instruments.ts';
import { hashNumber, unitFromHash } from './seededRandom.ts';

/** The mark price is a sum of smooth waves, each at most `share` of the reference price up or down. */
const waves: readonly { readonly periodMs: number; readonly share: number }[] = [
  { periodMs: 960 * hourMs, share: 0.08 },
  { periodMs: 240 * hourMs, share: 0.05 },
  { periodMs: 60 * hourMs, share: 0.07 },
  { periodMs: 15 * hourMs, share: 0.04 },
  { periodMs: 4 * hourMs, share: 0.007 },
  { periodMs: hourMs, share: 0.003 },
  { periodMs: 15 * minuteMs, share: 0.0015 },
  { periodMs: 4 * minuteMs, share: 0.0008 },
  { periodMs: minuteMs, share: 0.0004 },
  { periodMs: 15 * secondMs, share: 0.0002 },
];

/** The largest distance of a mark price from its reference price, as a share of that. */
export const maxSwing = waves.reduce((sum, { share }) => sum + share, 0);

/**
 * The mark price at `time` in ms, on a tick. It depends only on seed, instrument and second, and
 * changes every second.
 */
export function markPrice(seed: number, instrument: Instrument, time: number): Big {
  const second = Math.floor(time / secondMs);
  const key = hashNumber(hashNumber(0x811c9dc5, seed), instrument.index);
  const swing = waves.reduce(
    (sum, { share, periodMs }, wave) =>
      sum + share * height(hashNumber(key, wave), (second * secondMs) / periodMs),
    0,
  );
  const pairs = Math.round((instrument.referenceTicks * (1 + swing)) / 2);
  // Even seconds have even ticks, so two consecutive seconds never have the same price.
  return instrument.tickSize.times(2 * pairs + (second % 2));
}

/** More than the mark price can move within `withinMs`, as a share of the reference price. */
export function maxMove(withinMs: number): number {
  const smooth = waves.reduce(
    (sum, { share, periodMs }) => sum + share * Math.min(2, (3 * withinMs) / periodMs),
    0,
  );
  return smooth + 4 / Math.min(...instruments.map(({ referenceTicks }) => referenceTicks));
}

/** From −1 to 1: a random value at each whole position, and an S-shaped slope between them. */
function height(key: number, position: number): number {
  const whole = Math.floor(position);
  const part = position - whole;
  const before = unitFromHash(hashNumber(key, whole));
  const after = unitFromHash(hashNumber(key, whole + 1));
  return 2 * (before + (after - before) * part * part * (3 - 2 * part)) - 1;
}
