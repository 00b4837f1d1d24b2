/** One measured figure; `×` is a ratio to the baseline that the same run measured. */
export type Figure = {
  readonly name: string;
  readonly value: number;
  readonly unit: '' | 'ms' | '×' | '%' | 'MB';
};

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** The value at index ⌊n · part⌋ in order; of 100 values and 0.99, the worst. */
export function percentile(values: readonly number[], part: number): number {
  const inOrder = values.toSorted((a, b) => a - b);
  return inOrder[Math.min(values.length - 1, Math.floor(values.length * part))] ?? Number.NaN;
}
