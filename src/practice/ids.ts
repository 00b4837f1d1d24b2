import type { Instrument } from './instruments.ts';

/** An id has room for this many values per instrument and millisecond. */
export const idsPerMs = 100_000;

/**
 * An id of 19 digits, beyond 2^53, that grows with time: milliseconds since the Unix epoch, the
 * instrument, then `low` below `idsPerMs`.
 */
export function idAt(time: number, instrument: Instrument, low: number): bigint {
  return BigInt(time) * 1_000_000n + BigInt(instrument.index * idsPerMs + low);
}
