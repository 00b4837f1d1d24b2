/** One measured figure; `×` is a ratio to the baseline that the same run measured. */
export type Figure = {
  readonly name: string;
  readonly value: number;
  readonly unit: '' | 'ms' | '×' | '%' | 'KB' | 'MB';
  /** What the figure has to keep to. */
  readonly bar?: Bar;
};

export type Bar = {
  readonly is: 'at most' | 'at least';
  readonly value: number;
  /**
   * Whether missing this bar fails the bench: true for our counts and sizes. Times depend on how busy
   * the machine is, so they fail it only beyond a second value.
   */
  readonly fails?: boolean | { readonly beyond: number };
};

/** Whether a figure fails the bench. */
export function isFailure({ value, bar }: Figure): boolean {
  if (!bar?.fails) return false;
  return !keeps(bar.fails === true ? bar : { ...bar, value: bar.fails.beyond }, value);
}

export function keeps(bar: Bar, value: number): boolean {
  return bar.is === 'at most' ? value <= bar.value : value >= bar.value;
}

/** A line of its own: the value, its unit, what it is of, and its bar with a word if it is broken. */
export function line({ name, value, unit, bar }: Figure): string {
  const shown = `${value.toFixed(unit === '' ? 0 : 2).padStart(10)} ${unit.padEnd(2)}  ${name}`;
  if (!bar) return shown;
  const verdict = keeps(bar, value) ? '' : bar.is === 'at most' ? ', OVER IT' : ', BELOW IT';
  const failing = typeof bar.fails === 'object' ? `; fails beyond ${bar.fails.beyond}` : '';
  return `${shown} (bar: ${bar.is} ${bar.value}${verdict}${failing})`;
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
