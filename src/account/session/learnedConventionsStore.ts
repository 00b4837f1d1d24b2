import * as v from 'valibot';
import { dayMs, type Clock } from '../../base/time.ts';
import { accountFingerprint, type Credentials } from '../../exchange/auth/credentials.ts';
import {
  learnedConventionsInMemory,
  learnedConventionsSchema,
  nothingLearned,
  type LearnedConventions,
  type LearnedConventionsStore,
} from '../../exchange/conventions/learnedConventions.ts';
import { ServerClock } from '../../exchange/http/serverClock.ts';
import type { Profile } from './profile.ts';

/** Stored JSON values by key, which outlive a window. */
export type KeyValueStore = {
  keys(): readonly string[];
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
};

type LearnedConventionsStoreOptions = {
  readonly storage: KeyValueStore;
  readonly clock: Clock;
  /** Called when a finding could not be kept: it is learned again. */
  readonly onProblem: (error: unknown) => void;
};

/** A stored name, followed by the version of the conclusions: entries of other versions are dropped. */
const prefix = 'marginDesk.exchangeFacts';
const versioned = `${prefix}/2/`;
const maxExchanges = 20;
const maxFindingAgeMs = 30 * dayMs;

/** `facts` is a stored name: what was learned. */
const entrySchema = v.object({ keptAt: v.number(), facts: v.unknown() });

/**
 * What was learned of each exchange, one key for each base URL, for all windows. What is damaged or older than
 * 30 days is forgotten. The practice exchange belongs to this window, and so does what is learned of it.
 */
export class LearnedConventionsByProfile {
  private readonly options: LearnedConventionsStoreOptions;
  private readonly practice = new Map<string, LearnedConventionsStore>();
  private readonly serverClocks = new Map<string, ServerClock>();

  constructor(options: LearnedConventionsStoreOptions) {
    this.options = options;
  }

  forProfile({ baseUrl, environment }: Profile): LearnedConventionsStore {
    if (environment !== 'practice') return this.persisted(baseUrl);
    const store = this.practice.get(baseUrl) ?? learnedConventionsInMemory();
    this.practice.set(baseUrl, store);
    return store;
  }

  /** The clock of an account's exchange: what a test or an earlier session learned, all sessions know at once. */
  serverClockOf(profile: Profile, credentials: Credentials): ServerClock {
    const key = accountFingerprint(profile.baseUrl, credentials);
    const serverClock =
      this.serverClocks.get(key) ?? new ServerClock(this.options.clock, this.forProfile(profile));
    this.serverClocks.set(key, serverClock);
    return serverClock;
  }

  private persisted(baseUrl: string): LearnedConventionsStore {
    const key = `${versioned}${baseUrl}`;
    const { storage } = this.options;
    // A page reads the findings several times: the stored value is checked once, until it is another value.
    let [latest, known]: [raw: unknown, known: LearnedConventions] = [undefined, nothingLearned];
    const read = (): LearnedConventions => {
      const raw = storage.get(key);
      if (raw !== latest) [latest, known] = [raw, parseLearnedConventions(parseEntry(raw)?.facts)];
      return this.withoutExpired(known);
    };
    return {
      read,
      update: (change) => {
        this.put(key, { keptAt: this.options.clock.now(), facts: change(read()) });
        this.dropOld(key);
      },
    };
  }

  /** Drops entries of an older version, and of exchanges beyond the latest. */
  private dropOld(latest: string): void {
    const keys = this.options.storage.keys().filter((key) => key.startsWith(prefix));
    const aged = keys
      .filter((key) => key.startsWith(versioned) && key !== latest)
      .map((key) => ({ key, keptAt: parseEntry(this.options.storage.get(key))?.keptAt ?? 0 }))
      .sort((one, other) => other.keptAt - one.keptAt);
    const older = keys.filter((key) => !key.startsWith(versioned));
    const dropped = [...older, ...aged.slice(maxExchanges - 1).map(({ key }) => key)];
    for (const key of dropped) this.put(key, undefined);
  }

  private put(key: string, value: unknown): void {
    this.options.storage.update(key, value).then(undefined, this.options.onProblem);
  }

  private withoutExpired({ findings, ...others }: LearnedConventions): LearnedConventions {
    const oldest = this.options.clock.now() - maxFindingAgeMs;
    const recent = Object.entries(findings).filter(([, finding]) => finding.seenAt >= oldest);
    return { ...others, findings: Object.fromEntries(recent) };
  }
}

function parseEntry(raw: unknown): v.InferOutput<typeof entrySchema> | undefined {
  const parsed = v.safeParse(entrySchema, raw);
  return parsed.success ? parsed.output : undefined;
}

function parseLearnedConventions(kept: unknown): LearnedConventions {
  const parsed = v.safeParse(learnedConventionsSchema, kept);
  return parsed.success ? parsed.output : nothingLearned;
}
