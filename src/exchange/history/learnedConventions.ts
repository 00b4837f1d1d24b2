import * as v from 'valibot';
import type { DeepReadonly } from '../../base/deepReadonly.ts';
import { historyNames } from '../../api/operations.ts';
import {
  conventionValues,
  defaultConventions,
  type ApiConventions,
  type ConventionName,
  type ConventionSettings,
} from './apiConventions.ts';

/** Bounds of a stored observation; `observationOf` keeps them. */
export const maxRecordedParameters = 20;
export const maxRecordedTextLength = 400;

const text = v.pipe(v.string(), v.maxLength(maxRecordedTextLength));
const epochMs = v.pipe(v.number(), v.integer());
const count = v.pipe(v.number(), v.integer(), v.minValue(1));

/** Times are epoch milliseconds; totals are as reported. */
const observedRows = v.object({
  kind: v.literal('rows'),
  rows: v.number(),
  firstTime: v.nullable(epochMs),
  lastTime: v.nullable(epochMs),
  size: text,
  totalPages: text,
  totalElements: text,
});
const observedRefusal = v.object({ kind: v.literal('refused'), status: v.nullable(v.number()) });

const observation = v.object({
  operation: v.picklist(historyNames),
  /** Pages, sizes, dates and statuses as they were sent. */
  asked: v.pipe(v.array(v.tuple([text, text])), v.maxLength(maxRecordedParameters)),
  answer: v.variant('kind', [observedRows, observedRefusal]),
});
/** A request of a history and its answer: never a credential, a symbol or an address. */
export type Observation = Stored<typeof observation>;

const findingReasons = [
  'pagesFollow',
  'zeroIsFirstAgain',
  'zeroRefused',
  'zeroEmpty',
  'oneRefused',
  'oneEmpty',
  'pageIgnored',
  'dateFiltersApplied',
  'dateFiltersIgnored',
  'tooFewTimes',
  'timesInOrder',
  'timesOutOfOrder',
  'smallerPages',
  'largePagesRefused',
  'wholePage',
  'sizeDoesNotTell',
  'rangeRefused',
  'noRows',
  'budgetSpent',
  'unreadable',
  'rateLimited',
] as const;
/** Why a convention was concluded, or stayed undecided. Stored. */
export type FindingReason = (typeof findingReasons)[number];

function findingOf<Values extends v.GenericSchema>(values: Values) {
  return v.exactOptional(
    v.object({
      concluded: v.union([v.literal('undecided'), values]),
      reason: v.picklist(findingReasons),
      evidence: v.pipe(v.array(observation), v.maxLength(20)),
      /** Epoch milliseconds. */
      seenAt: epochMs,
    }),
  );
}

const findings = v.object({
  firstPage: findingOf(v.picklist(conventionValues.firstPage)),
  dates: findingOf(v.picklist(conventionValues.dates)),
  'maxPageSize.orders': findingOf(v.nullable(count)),
  'maxPageSize.trades': findingOf(v.nullable(count)),
  'maxPageSize.lots': findingOf(v.nullable(count)),
  'maxPageSize.transactions': findingOf(v.nullable(count)),
  maxRangeDays: findingOf(v.nullable(count)),
  sort: findingOf(v.picklist(conventionValues.sort)),
});
/** What was concluded about the conventions that answers show; a page cap is that of one history. */
export type Findings = Stored<typeof findings>;
export type FindingName = keyof Findings;
export type Finding<Name extends FindingName = FindingName> = NonNullable<Findings[Name]>;

export function conventionOf(name: FindingName): ConventionName {
  return name.split('.')[0] as ConventionName;
}

/** A limit from exchange information, and whether the rate limiter enforces it. Null: unreadable. */
const publishedLimit = v.object({
  rateLimitType: v.nullable(text),
  interval: v.nullable(text),
  intervalNum: v.nullable(text),
  limit: v.nullable(text),
  isEnforced: v.boolean(),
});
export type PublishedLimit = Stored<typeof publishedLimit>;

const information = v.object({
  /** Null if it named none. */
  timezone: v.nullable(text),
  rateLimits: v.array(publishedLimit),
  /** The weight per minute that is kept in place of unreadable limits; null if there are none. */
  supposedPerMinute: v.nullable(v.number()),
  /** How far the clock of the exchange was ahead of the local one; null if its time was unreadable. */
  aheadMs: v.nullable(v.number()),
  readAt: epochMs,
});
/** The latest exchange information. */
export type ObservedExchangeInfo = Stored<typeof information>;

const proven = v.object({
  /** How far before the end of its question a row was at most, in milliseconds, and after its start. */
  beforeEndMs: v.number(),
  afterStartMs: v.number(),
  /** Whether a filter is applied before a page is cut: a page was full under one. */
  areFiltersProven: v.boolean(),
});
/** What rows have proven of the answers to questions with a start and an end. */
export type ProvenAnswers = Stored<typeof proven>;

export const nothingProven: ProvenAnswers = {
  beforeEndMs: 0,
  afterStartMs: 0,
  areFiltersProven: false,
};

/** Stored for all windows. What does not match is dropped and learned again. */
export const learnedConventionsSchema = v.object({
  findings,
  information: v.nullable(information),
  /** The latest probe, and what it cost. */
  probe: v.nullable(v.object({ at: epochMs, weight: v.number() })),
  proven: v.exactOptional(proven),
  /** How far ahead its `serverTime` was, and when this machine started, by the clock that it was compared with. */
  clock: v.exactOptional(v.object({ aheadMs: v.number(), machineStartedAt: v.number() })),
});

/** Everything that is stored about one exchange. */
export type LearnedConventions = Stored<typeof learnedConventionsSchema>;

export const nothingLearned: LearnedConventions = { findings: {}, information: null, probe: null };

type Stored<Schema extends v.GenericSchema> = DeepReadonly<v.InferOutput<Schema>>;
/** Holds what was learned about one exchange. */
export type LearnedConventionsStore = {
  read(): LearnedConventions;
  update(change: (learned: LearnedConventions) => LearnedConventions): void;
};

export function learnedConventionsInMemory(
  initial: LearnedConventions = nothingLearned,
): LearnedConventionsStore {
  let current = initial;
  return {
    read: () => current,
    update: (change) => {
      current = change(current);
    },
  };
}

/** A setting wins over a finding, and a finding over the default. */
export function resolveConventions(
  settings: ConventionSettings,
  findings: Findings,
): ApiConventions {
  const names = Object.keys(settings) as ConventionName[];
  const values = names.map((name) => [name, valueOf(name, settings, findings)]);
  return Object.fromEntries(values) as ApiConventions;
}

function valueOf(name: ConventionName, settings: ConventionSettings, findings: Findings): unknown {
  if (settings[name] !== 'auto') return settings[name];
  const found: Readonly<Partial<Record<ConventionName, Finding>>> = findings;
  const { concluded = 'undecided' } = found[name] ?? {};
  return concluded === 'undecided' ? defaultConventions[name] : concluded;
}
