import { dayMs, hourMs, minuteMs } from '../../base/time.ts';
import { instrumentOf, instruments, type Instrument } from '../market/instruments.ts';
import { SeededRandom } from '../market/seededRandom.ts';

/** When a round trip (all trading in one instrument from flat to flat) takes place. */
export type RoundTripPlan = {
  /** Distinguishes the round trips of one seed. */
  readonly key: string;
  readonly instrument: Instrument;
  readonly isLong: boolean;
  /** Milliseconds since the Unix epoch, in the first minute of a step. */
  readonly opensAt: number;
  readonly closesAt: number;
};

/** A round trip checks its margin, and may place an order, once in each of these steps. */
export const stepMs = 15 * minuteMs;
/** What happens at the start of a step happens within this time. */
export const stepStartMs = minuteMs;

const btc = instrumentOf('btc_usdt');
const otherInstruments = instruments.filter((instrument) => instrument !== btc);
const otherTripEveryMs = 8 * hourMs;
/** The longest distance of an opening or closing from its place in the schedule: under three hours. */
const strayingSteps = 11;

/**
 * The round trips that are open at some time from `from` to `to`. Of btc_usdt there is always one:
 * it closes at the very moment when the next one opens. Of the other instruments in turn, one opens
 * every eight hours and closes about a day later; long and short ones alternate. So at any time at
 * least three round trips are open, and they include long and short positions.
 */
export function planRoundTrips(seed: number, from: number, to: number): RoundTripPlan[] {
  const plans = [
    ...numbersBetween(from / dayMs - 2, to / dayMs + 1).map((day) => planBtc(seed, day)),
    ...numbersBetween((from - 2 * dayMs) / otherTripEveryMs, (to + dayMs) / otherTripEveryMs).map(
      (index) => planOther(seed, index),
    ),
  ];
  return plans.filter(({ opensAt, closesAt }) => opensAt <= to && closesAt >= from);
}

function planBtc(seed: number, day: number): RoundTripPlan {
  const key = `${seed}/btc/${day}`;
  return {
    key,
    instrument: btc,
    isLong: new SeededRandom(`${key}/side`).chance(50),
    opensAt: nearby(day * dayMs, new SeededRandom(key)),
    closesAt: nearby((day + 1) * dayMs, new SeededRandom(`${seed}/btc/${day + 1}`)),
  };
}

function planOther(seed: number, index: number): RoundTripPlan {
  const key = `${seed}/other/${index}`;
  const random = new SeededRandom(key);
  const instrument = otherInstruments.at(index % otherInstruments.length) ?? btc;
  const start = index * otherTripEveryMs;
  return {
    key,
    instrument,
    isLong: index % 2 === 0,
    opensAt: nearby(start, random),
    closesAt: nearby(start + dayMs, random),
  };
}

/** A moment within three hours of `time`, in the first minute of a step. */
function nearby(time: number, random: SeededRandom): number {
  const step = time / stepMs + random.integer(-strayingSteps, strayingSteps);
  return step * stepMs + random.integer(0, stepStartMs - 1);
}

function numbersBetween(low: number, high: number): number[] {
  const first = Math.floor(low);
  return Array.from({ length: Math.ceil(high) - first + 1 }, (_, index) => first + index);
}
