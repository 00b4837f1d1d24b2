import { dayMs } from '../../base/durations.ts';

/** What an answer's header says of the weight that everybody has spent. */
export type UsedWeight = {
  readonly weight: number;
  /** Of the window that the header's name tells; undefined where it tells none. */
  readonly windowMs: number | undefined;
};

/** Names under which exchanges say it; a window's suffix may follow, as in `-1m`. */
const names = ['x-mbx-used-weight', 'x-used-weight', 'x-ratelimit-used', 'ratelimit-used'] as const;
const windowsMs = [
  ['-1m', 60_000],
  ['', undefined],
  ['-10s', 10_000],
  ['-1s', 1000],
  ['-1h', 3_600_000],
  ['-1d', dayMs],
] as const;

/** The used weight that an answer's headers tell, a minute's before any other; undefined where none does. */
export function usedWeight(headers: { get(name: string): string | null }): UsedWeight | undefined {
  for (const [suffix, windowMs] of windowsMs)
    for (const name of names) {
      const text = headers.get(`${name}${suffix}`) ?? '';
      if (/^\d{1,9}$/.test(text)) return { weight: Number(text), windowMs };
    }
  return undefined;
}
