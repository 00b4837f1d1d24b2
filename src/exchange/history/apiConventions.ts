/** The values of those conventions that have few, the usual ones first. */
export const conventionValues = {
  firstPage: [0, 1],
  dates: ['epochMs', 'epochS', 'isoInstant', 'isoLocal', 'isoDate'],
  lists: ['repeat', 'comma', 'brackets'],
  sort: ['newestFirst', 'oldestFirst', 'none'],
  dateTo: ['inclusive', 'exclusive'],
} as const;

type ValueOf<Name extends keyof typeof conventionValues> = (typeof conventionValues)[Name][number];

/** How one exchange handles what the API does not say (section 4.10). */
export type ApiConventions = {
  /** The number of the first page. */
  readonly firstPage: ValueOf<'firstPage'>;
  /**
   * How a `date` is written: milliseconds or seconds since the epoch, an ISO 8601 instant, or a local
   * date and time, or a local day, in the exchange's time zone.
   */
  readonly dates: ValueOf<'dates'>;
  /** How several values are written: `a=1&a=2`, `a=1,2` or `a[]=1&a[]=2`. */
  readonly lists: ValueOf<'lists'>;
  /** How many rows a page holds at most; null if no cap is known. */
  readonly maxPageSize: number | null;
  /** How many days one request may span; null if no bound is known. */
  readonly maxRangeDays: number | null;
  /** The order of a history's rows by time. */
  readonly sort: ValueOf<'sort'>;
  /**
   * Whether rows at the time `dateTo`, or on that day, belong to a period. It only matters for dates
   * written as days: other forms always request a unit too many, which is dropped.
   */
  readonly dateTo: ValueOf<'dateTo'>;
  /** The HTTP statuses that mean that the rate limit was exceeded. */
  readonly overLimitStatuses: readonly number[];
};

/**
 * What is assumed until something else is set or learned. `exclusive` is the safe assumption: it requests
 * a day too many rather than one too few, and loses no row.
 */
export const defaultConventions: ApiConventions = {
  firstPage: 0,
  dates: 'epochMs',
  lists: 'repeat',
  maxPageSize: null,
  maxRangeDays: null,
  sort: 'none',
  dateTo: 'exclusive',
  overLimitStatuses: [429, 418],
};

/** A setting: a value, or `auto` for what the answers of the exchange show. */
export type ConventionSettings = {
  readonly [Entry in keyof ApiConventions]: ApiConventions[Entry] | 'auto';
};

export const autoConventions: ConventionSettings = {
  firstPage: 'auto',
  dates: 'auto',
  lists: 'auto',
  maxPageSize: 'auto',
  maxRangeDays: 'auto',
  sort: 'auto',
  dateTo: 'auto',
  overLimitStatuses: 'auto',
};

export type ConventionName = keyof ApiConventions;
export const conventionNames = Object.keys(autoConventions) as readonly ConventionName[];
