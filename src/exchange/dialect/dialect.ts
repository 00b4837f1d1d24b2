import type { Operation } from '../operations.ts';

/** What the interface leaves open (section 4.10), as one exchange reads it. */
export type Dialect = {
  /** The number of the first page. */
  readonly firstPage: 0 | 1;
  /**
   * How a `date` is written: milliseconds or seconds since the epoch, an ISO 8601 instant, or a local
   * date and time, or a local day, in the exchange's time zone.
   */
  readonly dates: 'epochMs' | 'epochS' | 'isoInstant' | 'isoLocal' | 'isoDate';
  /** How several values are written: `a=1&a=2`, `a=1,2` or `a[]=1&a[]=2`. */
  readonly lists: 'repeat' | 'comma' | 'brackets';
  /** How many rows a page holds at most; null where no cap is known. */
  readonly maxPageSize: number | null;
  /** How many days one request may span; null where no bound is known. */
  readonly maxRangeDays: number | null;
  /** The order of a history's rows by time. */
  readonly sort: 'newestFirst' | 'oldestFirst' | 'none';
  /** Whether a row at the very moment `dateTo` is in the answer. */
  readonly dateTo: 'inclusive' | 'exclusive';
  /** The statuses that say that the rate limit was passed. */
  readonly overLimitStatuses: readonly number[];
};

export const defaultDialect: Dialect = {
  firstPage: 0,
  dates: 'epochMs',
  lists: 'repeat',
  maxPageSize: null,
  maxRangeDays: null,
  sort: 'none',
  dateTo: 'inclusive',
  overLimitStatuses: [429, 418],
};

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
  if (dialect.lists === 'comma') return [[name, values.join(',')]];
  const written = dialect.lists === 'brackets' ? `${name}[]` : name;
  return values.map((value) => [written, value] as const);
}

function writeDate(epochMs: number, dialect: Dialect): string {
  switch (dialect.dates) {
    case 'epochMs':
      return String(epochMs);
    case 'epochS':
      return String(Math.floor(epochMs / 1000));
    case 'isoInstant':
      return new Date(epochMs).toISOString();
    case 'isoLocal':
      return new Date(epochMs).toISOString().slice(0, 23);
    case 'isoDate':
      return new Date(epochMs).toISOString().slice(0, 10);
    default:
      return dialect.dates satisfies never;
  }
}
