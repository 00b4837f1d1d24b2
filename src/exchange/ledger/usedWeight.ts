import { dayMs } from '../../base/durations.ts';

/** What an answer's header says of the weight that everybody has spent. */
export type UsedWeight = {
  readonly weight: number;
  /** Of the window that the header's name tells; undefined where it tells none. */
  readonly windowMs: number | undefined;
};

/** Names under which exchanges say it; a window's suffix may follow, as in `-1m`. */
const names = ['x-mbx-used-weight', 'x-used-weight', 'x-ratelimit-used', 'ratelimit-used'] as const;
/** The suffix of each window, from the shortest; none stands for the window that the exchange means. */
const windowsMs = [
  ['-1s', 1000],
  ['-10s', 10_000],
  ['-1m', 60_000],
  ['', undefined],
  ['-1h', 3_600_000],
  ['-1d', dayMs],
] as const;

/** The used weights that an answer's headers tell, one of each window, from the shortest. */
export function usedWeights(headers: { get(name: string): string | null }): readonly UsedWeight[] {
  return windowsMs.flatMap(([suffix, windowMs]) => {
    const texts = names.map((name) => headers.get(`${name}${suffix}`) ?? '');
    const told = texts.find((text) => /^\d{1,9}$/.test(text));
    return told === undefined ? [] : [{ weight: Number(told), windowMs }];
  });
}
