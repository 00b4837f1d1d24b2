import * as v from 'valibot';
import type { Clock } from '../base/clock.ts';
import {
  factsInMemory,
  factsSchema,
  noFacts,
  type Facts,
  type FactsKeeper,
} from '../exchange/dialect/facts.ts';
import type { Profile } from './profile.ts';
import { dayMs } from '../base/durations.ts';

/** What outlives a window: values of JSON by key. */
export type Memory = {
  keys(): readonly string[];
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
};

export type ExchangeFactsOptions = {
  readonly memory: Memory;
  readonly clock: Clock;
  /** Told when a fact could not be kept: it is learned anew. */
  readonly onProblem: (error: unknown) => void;
};

/** With the version of what is concluded: what older code kept is not read, and dropped. */
const prefix = 'marginDesk.exchangeFacts';
const versioned = `${prefix}/2/`;
const mostExchanges = 20;
const longestAgeMs = 30 * dayMs;

const keptSchema = v.object({ keptAt: v.number(), facts: v.unknown() });

/**
 * What was learned of each exchange, one key for each base URL, for all windows. What is damaged or older than
 * 30 days is forgotten. The practice exchange is this window's own, and so are its facts.
 */
export class ExchangeFacts {
  private readonly options: ExchangeFactsOptions;
  private readonly practice = new Map<string, FactsKeeper>();

  constructor(options: ExchangeFactsOptions) {
    this.options = options;
  }

  of({ baseUrl, environment }: Profile): FactsKeeper {
    if (environment !== 'practice') return this.kept(baseUrl);
    const keeper = this.practice.get(baseUrl) ?? factsInMemory();
    this.practice.set(baseUrl, keeper);
    return keeper;
  }

  private kept(baseUrl: string): FactsKeeper {
    const key = `${versioned}${baseUrl}`;
    const { memory } = this.options;
    // A page asks for its facts several times: what is kept is checked once, until it is another value.
    let [latest, known]: [raw: unknown, facts: Facts] = [undefined, noFacts];
    const read = (): Facts => {
      const raw = memory.get(key);
      if (raw !== latest) [latest, known] = [raw, factsIn(keptIn(raw)?.facts)];
      return this.fresh(known);
    };
    return {
      read,
      update: (change) => {
        this.put(key, { keptAt: this.options.clock.now(), facts: change(read()) });
        this.dropOld(key);
      },
    };
  }

  /** Of an older version, and of the exchanges beyond the latest. */
  private dropOld(latest: string): void {
    const keys = this.options.memory.keys().filter((key) => key.startsWith(prefix));
    const aged = keys
      .filter((key) => key.startsWith(versioned) && key !== latest)
      .map((key) => ({ key, keptAt: keptIn(this.options.memory.get(key))?.keptAt ?? 0 }))
      .sort((one, other) => other.keptAt - one.keptAt);
    const older = keys.filter((key) => !key.startsWith(versioned));
    const dropped = [...older, ...aged.slice(mostExchanges - 1).map(({ key }) => key)];
    for (const key of dropped) this.put(key, undefined);
  }

  private put(key: string, value: unknown): void {
    this.options.memory.update(key, value).then(undefined, this.options.onProblem);
  }

  private fresh({ findings, ...others }: Facts): Facts {
    const oldest = this.options.clock.now() - longestAgeMs;
    const recent = Object.entries(findings).filter(([, finding]) => finding.seenAt >= oldest);
    return { ...others, findings: Object.fromEntries(recent) };
  }
}

function keptIn(raw: unknown): v.InferOutput<typeof keptSchema> | undefined {
  const parsed = v.safeParse(keptSchema, raw);
  return parsed.success ? parsed.output : undefined;
}

function factsIn(kept: unknown): Facts {
  const parsed = v.safeParse(factsSchema, kept);
  return parsed.success ? (parsed.output as Facts) : noFacts;
}
