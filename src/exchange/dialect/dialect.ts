import type { TimeZone } from '../../base/timeZone.ts';
import type { Operation } from '../operations.ts';
import { writeRange, type Period } from './dates.ts';

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
  /**
   * Whether a row at the very moment `dateTo`, or on the very day, is in the answer. Only how days are
   * written depends on it: a moment too many is asked for in any case, and dropped.
   */
  readonly dateTo: 'inclusive' | 'exclusive';
  /** The statuses that say that the rate limit was passed. */
  readonly overLimitStatuses: readonly number[];
};

/**
 * What is assumed until something else is set or seen. `exclusive` is the careful one of its two: it
 * asks for a day too many, which an exchange that is not would answer, and loses no row.
 */
export const defaultDialect: Dialect = {
  firstPage: 0,
  dates: 'epochMs',
  lists: 'repeat',
  maxPageSize: null,
  maxRangeDays: null,
  sort: 'none',
  dateTo: 'exclusive',
  overLimitStatuses: [429, 418],
};

/** What a person sets: a value, or `auto` for what the exchange's answers show. */
export type DialectSettings = { readonly [Entry in keyof Dialect]: Dialect[Entry] | 'auto' };

export const autoDialect: DialectSettings = {
  firstPage: 'auto',
  dates: 'auto',
  lists: 'auto',
  maxPageSize: 'auto',
  maxRangeDays: 'auto',
  sort: 'auto',
  dateTo: 'auto',
  overLimitStatuses: 'auto',
};

export type DialectEntry = keyof Dialect;
export const dialectEntries = Object.keys(autoDialect) as readonly DialectEntry[];

/** Names and values of a query string in the order in which they are sent. */
export type QueryPairs = readonly (readonly [name: string, value: string])[];

/**
 * What a parameter takes, by its kind: text; a whole number; a page counted from 0 whatever the
 * exchange counts from; several values; a moment in epoch milliseconds. `dateTo` is the first moment
 * that is no longer asked for.
 */
export type ParameterValues<Of extends Operation> = {
  readonly [Name in keyof Of['parameters']]?: ValueOf<Of['parameters'][Name]> | undefined;
};
type ValueOf<Kind> = Kind extends 'list'
  ? readonly string[]
  : Kind extends 'text'
    ? string
    : number;

type Given = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/** A query as it is sent, and the moments that its dates can stand for at most. */
export type WrittenQuery = {
  readonly pairs: QueryPairs;
  readonly widest: Required<Period>;
};

/**
 * Writes an operation's parameters in the exchange's dialect; absent and empty values are left out.
 * Dates ask for every row of the period whichever way the exchange takes its ends, seldom for more.
 */
export function writeParameters<Of extends Operation>(
  operation: Of,
  values: ParameterValues<Of>,
  dialect: Dialect,
  zone: TimeZone,
): WrittenQuery {
  const { written, widest } = writeRange(periodIn(values), dialect, zone);
  return { pairs: pairsOf(operation, values, written, dialect), widest };
}

function pairsOf(operation: Operation, given: Given, dates: Given, dialect: Dialect): QueryPairs {
  return Object.entries(operation.parameters).flatMap(([name, kind]) => {
    const value = kind === 'date' ? dates[name] : given[name];
    if (value === undefined || value === '') return [];
    if (typeof value === 'string') return [[name, value] as const];
    if (typeof value !== 'number') return writeList(name, value, dialect);
    return [[name, String(kind === 'page' ? value + dialect.firstPage : value)] as const];
  });
}

/** The period that a query asks for; an operation without one has none. */
function periodIn(values: object): Period {
  const { dateFrom: from, dateTo: to } = values as { dateFrom?: number; dateTo?: number };
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}

function writeList(name: string, values: readonly string[], dialect: Dialect): QueryPairs {
  if (values.length === 0) return [];
  if (dialect.lists === 'comma') return [[name, values.join(',')]];
  const written = dialect.lists === 'brackets' ? `${name}[]` : name;
  return values.map((value) => [written, value] as const);
}
