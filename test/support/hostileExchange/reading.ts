import type { ApiConventions } from '../../../src/exchange/history/apiConventions.ts';

/** How the server reads what the API leaves open (section 4.10), and how it writes its answers. */
export type Reading = {
  /**
   * `oneClampsZero`: page 0 is page 1 again. `oneLeavesZeroEmpty`: page 0 is a page without rows.
   * `zero404PastEnd`: counts from 0, and 404 past the end.
   */
  readonly firstPage: 0 | 1 | 'oneClampsZero' | 'oneLeavesZeroEmpty' | 'zero404PastEnd';
  /** The formats that it understands. If one of them is numeric, every number has that format. */
  readonly dates: readonly ApiConventions['dates'][];
  readonly otherDates: 'refused' | 'ignored';
  /** Whether it cuts a time to its second. */
  readonly cutsToSeconds: boolean;
  /** Whether a date without a time means the whole day or its first moment. */
  readonly days: 'whole' | 'midnight';
  /** IANA name: the zone of local dates, which exchange information also gives. */
  readonly timezone: string;
  /** Which of the two moments a local time means that occurs twice when clocks are set back. */
  readonly repeatedHour: 'first' | 'second';
  readonly lists: readonly ApiConventions['lists'][];
  readonly otherLists: 'refused' | 'ignored' | 'lastValueOnly';
  readonly maxPageSize: number | null;
  readonly largerPages: 'capped' | 'refused';
  /** What `size` in the envelope is: the page size, or the number of rows on this page. */
  readonly sizeOf: 'pages' | 'thisPage';
  /** How it writes a list without rows: an `omitempty` of Go leaves it out. */
  readonly emptyLists: 'list' | 'null' | 'missing';
  /** A longer range, or one with a single end, gets 400. */
  readonly maxRangeDays: number | null;
  /** An earlier `dateFrom` gets 400, in epoch milliseconds. */
  readonly earliestFrom: number | null;
  /** `none`: a random order, the same for every request. */
  readonly sort: ApiConventions['sort'];
  /** `unstable`: rows of the same time change places with every request. */
  readonly ties: 'stable' | 'unstable';
  /** `inclusive` includes a named day as a whole. */
  readonly dateTo: 'inclusive' | 'exclusive';
  /** Parameters that it ignores. */
  readonly ignores: readonly string[];
  /** Rows with these ids count and have a place on a page, but are not sent. */
  readonly withholds: readonly bigint[];
  /** Whether a page is cut from all rows, and filtered then. */
  readonly filtersAfterPaging: boolean;
  readonly totals:
    | 'true'
    | 'string'
    | 'null'
    | 'missing'
    | { readonly atMost: number }
    | { readonly always: number };
  /** The unit of a row's own time. */
  readonly times: 'ms' | 's' | 'us';
};

/** Like the practice exchange, except for page sizes. */
export const defaultReading: Reading = {
  firstPage: 0,
  dates: ['epochMs', 'isoInstant', 'isoDate'],
  otherDates: 'refused',
  cutsToSeconds: false,
  days: 'whole',
  timezone: 'UTC',
  repeatedHour: 'second',
  lists: ['repeat', 'comma'],
  otherLists: 'refused',
  maxPageSize: null,
  largerPages: 'capped',
  sizeOf: 'pages',
  emptyLists: 'list',
  maxRangeDays: null,
  earliestFrom: null,
  sort: 'newestFirst',
  ties: 'stable',
  dateTo: 'inclusive',
  ignores: [],
  withholds: [],
  filtersAfterPaging: false,
  totals: 'true',
  times: 'ms',
};
