/** One measured figure; `×` is a ratio to the baseline that the same run measured. */
export type Figure = {
  readonly name: string;
  readonly value: number;
  readonly unit: '' | 'ms' | '×';
};

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
