import * as v from 'valibot';
import { historyNames } from '../histories.ts';
import type { OperationName } from '../operations.ts';
import {
  defaultDialect,
  type Dialect,
  type DialectEntry,
  type DialectSettings,
} from './dialect.ts';

/** What was asked of a history and what came back: never a credential, a symbol or an address. */
export type Observation = {
  readonly operation: OperationName;
  /** Pages, sizes, dates and statuses as they were sent. */
  readonly asked: readonly (readonly [name: string, value: string])[];
  readonly answer: SeenRows | Refusal;
};

/** Times are epoch milliseconds; totals are the exchange's claims. */
export type SeenRows = {
  readonly kind: 'rows';
  readonly rows: number;
  readonly firstTime: number | null;
  readonly lastTime: number | null;
  readonly size: string;
  readonly totalPages: string;
  readonly totalElements: string;
};
export type Refusal = { readonly kind: 'refused'; readonly status: number | null };

export const reasons = [
  'pagesFollow',
  'zeroIsFirstAgain',
  'zeroRefused',
  'zeroEmpty',
  'pageNotHeeded',
  'datesHeeded',
  'datesNotHeeded',
  'endIn',
  'endOut',
  'endNotSeen',
  'tooFewTimes',
  'timesInOrder',
  'timesOutOfOrder',
  'smallerPages',
  'largePagesRefused',
  'wholePage',
  'sizeDoesNotTell',
  'valuesMatch',
  'valuesDoNotTell',
  'rangeRefused',
  'noRows',
  'budgetSpent',
  'unreadable',
  'rateLimited',
] as const;
/** Why something was concluded, or nothing was. */
export type Reason = (typeof reasons)[number];

/** What is concluded of one entry; `undecided` when what was seen does not tell. */
export type Finding<Entry extends DialectEntry = DialectEntry> = {
  readonly concluded: Dialect[Entry] | 'undecided';
  /** What to assume while it is undecided, where one value does better than others. */
  readonly leaning?: Dialect[Entry] | undefined;
  readonly reason: Reason;
  readonly evidence: readonly Observation[];
  /** Epoch milliseconds. */
  readonly seenAt: number;
};

export type Findings = { readonly [Entry in DialectEntry]?: Finding<Entry> };

/** A limit that exchange information tells, and whether the ledger keeps it. What could not be read is null. */
export type ToldLimit = {
  readonly rateLimitType: string | null;
  readonly interval: string | null;
  readonly intervalNum: string | null;
  readonly limit: string | null;
  readonly isKept: boolean;
};

/** What exchange information told last. */
export type ToldInformation = {
  /** Null where it named none. */
  readonly timezone: string | null;
  readonly rateLimits: readonly ToldLimit[];
  /** The weight a minute that is kept for limits that are not understood; null where none is. */
  readonly supposedPerMinute: number | null;
  /** How far the exchange's clock was ahead of ours; null where its time could not be read. */
  readonly aheadMs: number | null;
  readonly readAt: number;
};

/** All that is remembered of one exchange. */
export type Facts = {
  readonly findings: Findings;
  readonly information: ToldInformation | null;
  /** The last detection, and what it cost. */
  readonly probe: { readonly at: number; readonly weight: number } | null;
};

export const noFacts: Facts = { findings: {}, information: null, probe: null };

/** Holds the facts of one exchange, for whoever talks to it. */
export type FactsKeeper = {
  read(): Facts;
  update(change: (facts: Facts) => Facts): void;
};

export function factsInMemory(facts: Facts = noFacts): FactsKeeper {
  let current = facts;
  return {
    read: () => current,
    update: (change) => {
      current = change(current);
    },
  };
}

/** What is set wins, then what was seen, then what is assumed. */
export function effectiveDialect(settings: DialectSettings, findings: Findings): Dialect {
  const entries = Object.keys(settings) as DialectEntry[];
  const values = entries.map((entry) => [entry, valueOf(entry, settings, findings)]);
  return Object.fromEntries(values) as Dialect;
}

function valueOf(entry: DialectEntry, settings: DialectSettings, findings: Findings): unknown {
  if (settings[entry] !== 'auto') return settings[entry];
  const { concluded = 'undecided', leaning = defaultDialect[entry] } = findings[entry] ?? {};
  return concluded === 'undecided' ? leaning : concluded;
}

/** What is kept of a request is bounded: `observed` cuts it. */
export const mostAsked = 20;
export const longestAsked = 400;

const text = v.pipe(v.string(), v.maxLength(longestAsked));
const epochMs = v.pipe(v.number(), v.integer());
const count = v.pipe(v.number(), v.integer(), v.minValue(1));
const observation = v.object({
  operation: v.picklist(historyNames),
  asked: v.pipe(v.array(v.tuple([text, text])), v.maxLength(mostAsked)),
  answer: v.variant('kind', [
    v.object({
      kind: v.literal('rows'),
      rows: v.number(),
      firstTime: v.nullable(epochMs),
      lastTime: v.nullable(epochMs),
      ...{ size: text, totalPages: text, totalElements: text },
    }),
    v.object({ kind: v.literal('refused'), status: v.nullable(v.number()) }),
  ]),
});

function findingOf<Values extends v.GenericSchema>(values: Values) {
  return v.optional(
    v.object({
      concluded: v.union([v.literal('undecided'), values]),
      leaning: v.optional(values),
      reason: v.picklist(reasons),
      evidence: v.pipe(v.array(observation), v.maxLength(20)),
      seenAt: epochMs,
    }),
  );
}

/** Facts as they are kept between windows. What does not fit is learned anew. */
export const factsSchema = v.object({
  findings: v.object({
    firstPage: findingOf(v.picklist([0, 1])),
    dates: findingOf(v.picklist(['epochMs', 'epochS', 'isoInstant', 'isoLocal', 'isoDate'])),
    lists: findingOf(v.picklist(['repeat', 'comma', 'brackets'])),
    maxPageSize: findingOf(v.nullable(count)),
    maxRangeDays: findingOf(v.nullable(count)),
    sort: findingOf(v.picklist(['newestFirst', 'oldestFirst', 'none'])),
    dateTo: findingOf(v.picklist(['inclusive', 'exclusive'])),
  }),
  information: v.nullable(
    v.object({
      timezone: v.nullable(text),
      rateLimits: v.array(
        v.object({
          rateLimitType: v.nullable(text),
          interval: v.nullable(text),
          intervalNum: v.nullable(text),
          limit: v.nullable(text),
          isKept: v.boolean(),
        }),
      ),
      supposedPerMinute: v.optional(v.nullable(v.number()), null),
      aheadMs: v.nullable(v.number()),
      readAt: epochMs,
    }),
  ),
  probe: v.nullable(v.object({ at: epochMs, weight: v.number() })),
});
