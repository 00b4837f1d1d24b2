import type { Operation } from '../operations.ts';

/** What the interface leaves open (section 4.10), as one exchange reads it. */
export type Dialect = {
  /** The number of the first page. */
  readonly firstPage: 0 | 1;
  /** How a `date` is written: milliseconds since the epoch, an ISO 8601 instant, or its UTC day. */
  readonly dates: 'epochMs' | 'isoInstant' | 'isoDate';
  /** How several values are written: `a=1&a=2` or `a=1,2`. */
  readonly lists: 'repeat' | 'comma';
};

export const defaultDialect: Dialect = { firstPage: 0, dates: 'epochMs', lists: 'repeat' };

/** Names and values of a query string in the order in which they are sent. */
export type QueryPairs = readonly (readonly [name: string, value: string])[];

/**
 * What a parameter takes, by its kind: text; a whole number; a page counted from 0 whatever the
 * exchange counts from; several values; a moment in epoch milliseconds.
 */
export type ParameterValues<Of extends Operation> = {
  readonly [Name in keyof Of['parameters']]?: ValueOf<Of['parameters'][Name]> | undefined;
};
type ValueOf<Kind> = Kind extends 'list'
  ? readonly string[]
  : Kind extends 'text'
    ? string
    : number;

/** Writes an operation's parameters in the exchange's dialect; absent and empty values are left out. */
export function writeParameters<Of extends Operation>(
  operation: Of,
  values: ParameterValues<Of>,
  dialect: Dialect,
): QueryPairs {
  const given = values as Record<string, string | number | readonly string[] | undefined>;
  return Object.entries(operation.parameters).flatMap(([name, kind]) => {
    const value = given[name];
    if (value === undefined || value === '') return [];
    if (typeof value === 'string') return [[name, value] as const];
    if (typeof value !== 'number') return writeList(name, value, dialect);
    if (kind === 'page') return [[name, String(value + dialect.firstPage)] as const];
    return [[name, kind === 'date' ? writeDate(value, dialect) : String(value)] as const];
  });
}

function writeList(name: string, values: readonly string[], dialect: Dialect): QueryPairs {
  if (values.length === 0) return [];
  return dialect.lists === 'repeat'
    ? values.map((value) => [name, value] as const)
    : [[name, values.join(',')]];
}

function writeDate(epochMs: number, dialect: Dialect): string {
  switch (dialect.dates) {
    case 'epochMs':
      return String(epochMs);
    case 'isoInstant':
      return new Date(epochMs).toISOString();
    case 'isoDate':
      return new Date(epochMs).toISOString().slice(0, 10);
    default:
      return dialect.dates satisfies never;
  }
}
