import type { Dialect } from '../../../src/exchange/dialect/dialect.ts';

/** How the server reads what the interface leaves open (section 4.10), and how it writes its answers. */
export type Reading = {
  /**
   * `oneClampsZero`: page 0 is page 1 again. `oneLeavesZeroEmpty`: page 0 is a page without rows.
   * `zero404PastEnd`: counts from 0, and 404 past the end.
   */
  readonly firstPage: 0 | 1 | 'oneClampsZero' | 'oneLeavesZeroEmpty' | 'zero404PastEnd';
  /** The forms that it understands. With one form of numbers only, every number is read as that. */
  readonly dates: readonly Dialect['dates'][];
  readonly otherDates: 'refused' | 'ignored';
  /** Whether it forgets what a moment says beyond its second. */
  readonly cutsToSeconds: boolean;
  /** Whether a day without a time is the day, or the moment at which it begins. */
  readonly days: 'whole' | 'midnight';
  /** IANA name: the zone of dates without one, and what exchange information says. */
  readonly timezone: string;
  /** Which moment a local time names that clocks show twice, as they are set back. */
  readonly repeatedHour: 'first' | 'second';
  readonly lists: readonly Dialect['lists'][];
  readonly otherLists: 'refused' | 'ignored' | 'lastValueOnly';
  readonly defaultPageSize: number;
  readonly maxPageSize: number | null;
  readonly largerPages: 'capped' | 'refused';
  /** What the envelope calls its size: that of its pages, or how many rows are on this one. */
  readonly sizeOf: 'pages' | 'thisPage';
  /** A longer range, or one with one end only, is refused with 400. */
  readonly maxRangeDays: number | null;
  /** `none`: an order that only the seed explains, the same for every request. */
  readonly sort: Dialect['sort'];
  /** `unstable`: rows of one instant change places with every request. */
  readonly ties: 'stable' | 'unstable';
  /** `inclusive` takes a named day as a whole; `wholeSecond` a named second too. */
  readonly dateTo: 'inclusive' | 'exclusive' | 'wholeSecond';
  /** Parameters that it does not look at. */
  readonly ignores: readonly string[];
  /** Rows with these ids are counted and have their place on a page, but are not sent. */
  readonly withholds: readonly bigint[];
  readonly totals:
    | 'true'
    | 'minusOne'
    | 'string'
    | 'null'
    | 'missing'
    /** One less with every request. */
    | 'shrinking'
    | { readonly atMost: number }
    | { readonly always: number };
  /** The form of a row's own time; `isoLocal` is without a zone. */
  readonly times: 'ms' | 's' | 'us' | 'iso' | 'isoLocal';
  readonly envelope: 'page' | 'bareArray' | 'nullContent' | 'wrapped';
  /** Of everything that is without order. */
  readonly seed: number;
};

/** As the practice exchange reads, but for the sizes of pages. */
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
  defaultPageSize: 20,
  maxPageSize: null,
  largerPages: 'capped',
  sizeOf: 'pages',
  maxRangeDays: null,
  sort: 'newestFirst',
  ties: 'stable',
  dateTo: 'inclusive',
  ignores: [],
  withholds: [],
  totals: 'true',
  times: 'ms',
  envelope: 'page',
  seed: 1,
};
