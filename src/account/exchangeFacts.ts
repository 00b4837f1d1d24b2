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

/** What outlives a window: values of JSON by key. */
export type Memory = {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
};

export type ExchangeFactsOptions = {
  readonly memory: Memory;
  readonly clock: Clock;
  /** Told when a fact could not be kept: it is learned anew. */
  readonly onProblem: (error: unknown) => void;
};

const key = 'marginDesk.exchangeFacts';
const mostExchanges = 20;
const longestAgeMs = 30 * 86_400_000;

const recordSchema = v.record(v.string(), v.unknown());

/**
 * What was learned of each exchange, by its base URL, for all windows. What is damaged or older than
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
    return {
      read: () => this.fresh(this.all()[baseUrl]),
      update: (change) => {
        const { [baseUrl]: earlier, ...others } = this.all();
        const latest = Object.entries(others).slice(1 - mostExchanges);
        const next = [...latest, [baseUrl, change(this.fresh(earlier))]] as const;
        this.keep(Object.fromEntries(next));
      },
    };
  }

  private all(): Readonly<Record<string, unknown>> {
    const parsed = v.safeParse(recordSchema, this.options.memory.get(key));
    return parsed.success ? parsed.output : {};
  }

  private keep(all: Readonly<Record<string, unknown>>): void {
    this.options.memory.update(key, all).then(undefined, this.options.onProblem);
  }

  private fresh(kept: unknown): Facts {
    const parsed = v.safeParse(factsSchema, kept);
    if (!parsed.success) return noFacts;
    const { findings, ...others } = parsed.output as Facts;
    const oldest = this.options.clock.now() - longestAgeMs;
    const recent = Object.entries(findings).filter(([, finding]) => finding.seenAt >= oldest);
    return { ...others, findings: Object.fromEntries(recent) };
  }
}
