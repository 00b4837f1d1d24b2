import * as v from 'valibot';

/** A chart over time. Figures are exact texts: the page makes floats of them only to draw. */

function everyOne<Item>(isItem: (value: unknown) => boolean) {
  return v.custom<readonly Item[]>((value) => Array.isArray(value) && value.every(isItem));
}

export const chartSchema = v.object({
  /** Bars stand on zero; a line joins what was measured; steps stay as they are until the next point. */
  kind: v.picklist(['bars', 'line', 'steps']),
  /** Where each point begins, in ascending epoch milliseconds: a chart may have 100,000. */
  from: everyOne<number>((value) => typeof value === 'number'),
  /** Where the last point ends. */
  to: v.number(),
  /** Where figures may be missing, oldest first and apart: hatched. */
  gaps: v.array(v.object({ from: v.number(), to: v.number() })),
  series: v.array(
    v.object({
      label: v.string(),
      /** One figure for each point; null where there is none, which a line shows as a gap. */
      values: everyOne<string | null>((value) => value === null || typeof value === 'string'),
      /** How many rows each point can open; null if there are none to open. */
      rows: v.nullable(everyOne<number>((value) => typeof value === 'number')),
      /** Whether what a point opens has other rows as well. */
      isWider: v.boolean(),
      /** A line over bars, such as what they add up to; after all series that are bars. */
      isLine: v.exactOptional(v.boolean()),
    }),
  ),
});
export type ChartData = v.InferOutput<typeof chartSchema>;
