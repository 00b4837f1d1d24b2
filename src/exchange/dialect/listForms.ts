import type { ExchangeError } from '../errors.ts';
import type { Dialect } from './dialect.ts';
import type { Observation } from './facts.ts';
import type { HistoryPage } from './historyPage.ts';
import { countIn } from '../histories.ts';

/** A page, or the refusal of the request, and what may be remembered of it. */
export type Attempt<Item> = { readonly observation: Observation } & (
  { readonly page: HistoryPage<Item> } | { readonly refusal: ExchangeError }
);

/** What came of one way to write several values. */
export type TriedForm<Item> = Attempt<Item> & { readonly lists: Dialect['lists'] };
type TriedPage<Item> = TriedForm<Item> & { readonly page: HistoryPage<Item> };

const listForms = ['repeat', 'comma', 'brackets'] as const satisfies readonly Dialect['lists'][];

/** The dialect with each form of lists, its own first. */
export function byLists(dialect: Dialect): readonly [Dialect, ...Dialect[]] {
  const others = listForms.filter((lists) => lists !== dialect.lists);
  return [dialect, ...others.map((lists) => ({ ...dialect, lists }))];
}

/**
 * The answer of the most rows, the earliest of equals, among those that have no row of another status
 * if there are any: a form that drops values gives fewer rows. Undefined where all were refused.
 */
export function fullestOf<Item>(tried: readonly TriedForm<Item>[]): TriedPage<Item> | undefined {
  const pages = tried.filter((attempt): attempt is TriedPage<Item> => 'page' in attempt);
  const heeded = pages.filter(({ page }) =>
    page.unmatched.every(({ parameter }) => parameter !== 'statuses'),
  );
  return (heeded.length > 0 ? heeded : pages).toSorted((one, other) => {
    const [[total, rows], [otherTotal, otherRows]] = [rowsIn(one), rowsIn(other)];
    return otherTotal - total || otherRows - rows;
  })[0];
}

function rowsIn({ page: { value } }: TriedPage<unknown>): readonly [total: number, here: number] {
  return [countIn(value.totalElements) ?? 0, value.content.length];
}
