import { median, percentile, type Figure } from './figures.ts';
import { measuredInHost } from './inHost.ts';

/**
 * What a refresh that changes nothing costs the extension host: from the answer's text through its
 * records and the store to the end of everything that is drawn from it, with 200 positions and locked
 * orders, in a real VS Code.
 */
export async function refreshFigures(): Promise<Figure[]> {
  const times = (await measuredInHost('refresh')) as readonly number[];
  return [
    {
      name: 'a refresh with 200 positions that changes nothing',
      value: median(times),
      unit: 'ms',
      bar: { is: 'at most', value: 10, fails: true },
    },
    { name: 'and the slowest of a hundred', value: percentile(times, 0.99), unit: 'ms' },
  ];
}
