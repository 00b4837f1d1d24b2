import * as v from 'valibot';

export const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/**
 * Pages of one unit, from the first on. `first` is how many rows the first page had, `firstIds` how
 * many of them have an id, `last` how many the last page had, `sent` all pages together; `hidden` of
 * them have no id. `idle` is for how many pages nothing new came. `cut` is the shortest page that was
 * followed by another and had not as many rows as the first.
 */
const passSchema = v.object({
  first: count,
  firstIds: count,
  last: count,
  sent: count,
  rows: count,
  hidden: count,
  idle: count,
  cut: v.nullable(count),
  ids: v.array(v.string()),
  print: v.string(),
});

/** A page; `size` null: of the walk's size. */
const questionSchema = v.object({ page: count, size: v.nullable(count) });

/**
 * What is kept of a pass that ended, `known` counting the rows that any pass showed. `provedKnown` is
 * how many that were when it was proved that the unit has no more than `rows`.
 */
const passedSchema = v.object({
  rows: count,
  firstIds: count,
  known: count,
  hidden: count,
  print: v.string(),
  provedKnown: v.nullable(count),
});

/**
 * Passes over a unit's pages: `page` of `size` is next, or where a pass is over the first of `checks`,
 * which find out whether it `isProved` to have shown all. `before` is the pass before, `since` what
 * came since it was proved how many rows there are, `alike` how many passes in a row showed the same
 * and only on their first page. No page is to be longer than `least`, once pages were cut unevenly.
 */
export const instantSchema = v.object({
  kind: v.literal('instant'),
  page: count,
  size: v.nullable(count),
  pass: passSchema,
  checks: v.array(questionSchema),
  isProved: v.boolean(),
  passes: count,
  least: v.nullable(count),
  before: v.nullable(passedSchema),
  since: v.array(v.string()),
  alike: count,
});

export type DeepReadonly<T> = T extends object
  ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
  : T;

export type Question = DeepReadonly<v.InferOutput<typeof questionSchema>>;
export type Pass = DeepReadonly<v.InferOutput<typeof passSchema>>;
export type Instant = DeepReadonly<v.InferOutput<typeof instantSchema>>;
