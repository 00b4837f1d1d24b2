import type Big from 'big.js';
import { instruments, type Instrument } from './instruments.ts';
import { hashWith, unitFrom } from './random.ts';

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** The mark is a sum of smooth waves, each at most `share` of the level up or down. */
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

/** No mark is ever further from its level than this share of it. */
export const widestSwing = waves.reduce((total, { share }) => total + share, 0);

/**
 * The mark price at `time` in ms: on the tick, a function of seed, instrument and second only, and
 * never the same in two seconds that follow each other.
 */
export function markPrice(seed: number, instrument: Instrument, time: number): Big {
  const second = Math.floor(time / secondMs);
  const key = hashWith(hashWith(0x811c9dc5, seed), instrument.index);
  const swing = waves.reduce(
    (total, { share, periodMs }, wave) =>
      total + share * height(hashWith(key, wave), (second * secondMs) / periodMs),
    0,
  );
  const pairs = Math.round((instrument.levelTicks * (1 + swing)) / 2);
  // The parity of the ticks is that of the second, so that every second brings another price.
  return instrument.tick.times(2 * pairs + (second % 2));
}

/** More than the mark can move within `withinMs`, as a share of the level. */
export function largestMove(withinMs: number): number {
  const smooth = waves.reduce(
    (total, { share, periodMs }) => total + share * Math.min(2, (3 * withinMs) / periodMs),
    0,
  );
  return smooth + 4 / Math.min(...instruments.map(({ levelTicks }) => levelTicks));
}

/** From −1 to 1: drawn at whole positions, an S-shaped slope between them. */
function height(key: number, position: number): number {
  const whole = Math.floor(position);
  const part = position - whole;
  const before = unitFrom(hashWith(key, whole));
  const after = unitFrom(hashWith(key, whole + 1));
  return 2 * (before + (after - before) * part * part * (3 - 2 * part)) - 1;
}
