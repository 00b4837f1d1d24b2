import { isSmall } from './sizes.ts';

/** One measured figure of Margin Desk. */
export type Figure = {
  readonly name: string;
  readonly unit: '' | 'ms' | '%' | 'KB' | 'MB';
  readonly value: number;
  /** The same of others in the same run: a library, or the least that such work can take. */
  readonly peers?: Readonly<Record<string, number>>;
  readonly bar?: Bar;
};

/** A count or a size has a bound; a time may be so many times that of the best peer, which the machine slows as much. */
export type Bar =
  | { readonly atMost: number }
  | { readonly atLeast: number }
  | { readonly timesPeer: number };

/** Whether a figure keeps its bar; undefined if it has none. Small sizes say nothing about times. */
export function keepsBar(figure: Figure): boolean | undefined {
  const { value, bar } = figure;
  if (!bar) return undefined;
  if ('atMost' in bar) return value <= bar.atMost;
  if ('atLeast' in bar) return value >= bar.atLeast;
  return isSmall ? undefined : timesBest(figure) <= bar.timesPeer;
}

/** So many times the least of the peers. */
function timesBest({ value, peers = {} }: Figure): number {
  return value / Math.min(...Object.values(peers));
}

export const heading = ['', 'Margin Desk', 'bar', 'beside it'];

/** What stands in the columns of the heading. */
export function cells(figure: Figure): readonly string[] {
  const { name, unit, value, peers = {}, bar } = figure;
  const others = Object.entries(peers).map(([peer, of]) => `${peer} ${shown(of, unit)}`);
  const ratio = others.length > 0 && value > 0 ? ` (${timesBest(figure).toFixed(2)} ×)` : '';
  return [name, shown(value, unit), bar ? barText(bar, unit) : '', others.join(', ') + ratio];
}

/** A row of a table. */
export function row([name = '', value = '', bar = '', beside = '']: readonly string[]): string {
  return `${name.padEnd(66)} ${value.padStart(12)} ${bar.padStart(12)}  ${beside}`.trimEnd();
}

function barText(bar: Bar, unit: Figure['unit']): string {
  if ('atMost' in bar) return `≤ ${shown(bar.atMost, unit)}`;
  if ('atLeast' in bar) return `≥ ${shown(bar.atLeast, unit)}`;
  return `≤ ${bar.timesPeer} ×`;
}

function shown(value: number, unit: Figure['unit']): string {
  const digits = unit === '' ? 0 : value < 10 ? 2 : 1;
  return `${value.toFixed(digits)} ${unit}`.trim();
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** The value at index ⌊n · part⌋ in order; of 100 values and 0.99, the worst. Throws where one was not measured. */
export function percentile(values: readonly number[], part: number): number {
  const inOrder = values.toSorted((a, b) => a - b);
  const value = inOrder[Math.min(values.length - 1, Math.floor(values.length * part))];
  if (value === undefined || values.some(Number.isNaN)) throw new Error('a value is missing');
  return value;
}

/** Milliseconds that something takes. */
export async function timeOf(run: () => unknown): Promise<number> {
  const startedAt = performance.now();
  await run();
  return performance.now() - startedAt;
}

/** The median of several times. */
export async function medianTimeOf(turns: number, run: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < turns; turn += 1) times.push(await timeOf(run));
  return median(times);
}
