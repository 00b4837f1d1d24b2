import type { Observation } from './facts.ts';
import { sizeSeen } from './judge.ts';
import type { SeenPage } from './seenPage.ts';
import type { HistoryName } from '../histories.ts';

/** What a page was asked by; filters beside its number and size. */
export type PageAsked = {
  readonly operation: HistoryName;
  readonly query: { readonly page: number; readonly size?: number | undefined };
};

/** How many rows a page holds at most, and the pages that show it. */
export type CapSeen = { readonly size: number; readonly evidence: readonly Observation[] };

type Suspicion = CapSeen & { readonly of: string; readonly ids: ReadonlySet<string> };

/**
 * Judges caps by ordinary pages. What an envelope claims of a filtered query may be of all rows, so
 * that three rows pass for a page of three: a cap is seen there when the next page has as many, and
 * others.
 */
export class CapTrial {
  private readonly suspicions = new Map<HistoryName, Suspicion>();

  /** The cap that a page shows, together with the first page of its query; undefined where it shows none. */
  capSeen(asked: PageAsked, page: SeenPage, observation: Observation): CapSeen | undefined {
    const { operation, query } = asked;
    if (query.page > 1 || query.size === undefined) return undefined;
    const of = JSON.stringify({ ...query, page: 0 });
    if (query.page === 1) return this.bornOut(operation, of, page, observation);
    this.suspicions.delete(operation);
    const told = sizeSeen(query.size, page);
    if (told?.kind !== 'cap') return undefined;
    const cap = { size: told.size, evidence: [observation] };
    if (!isFiltered({ ...query, page: undefined, size: undefined })) return cap;
    const ids = new Set(page.rows.map(({ id }) => id));
    this.suspicions.set(operation, { ...cap, of, ids });
    return undefined;
  }

  /** One row of the first page may have been moved to the next by a new one. */
  private bornOut(
    operation: HistoryName,
    of: string,
    { rows, records, size: claimed }: SeenPage,
    observation: Observation,
  ): CapSeen | undefined {
    const suspicion = this.suspicions.get(operation);
    if (suspicion?.of !== of) return undefined;
    const { size, evidence, ids } = suspicion;
    const others = rows.filter(({ id }) => !ids.has(id));
    const isSame = records === size && claimed === size && others.length > 1;
    return isSame ? { size, evidence: [...evidence, observation] } : undefined;
  }
}

function isFiltered(filters: object): boolean {
  return Object.values(filters).some(
    (value: unknown) => value !== undefined && value !== '' && !isEmptyList(value),
  );
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
