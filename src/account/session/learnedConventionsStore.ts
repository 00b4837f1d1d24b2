import * as v from 'valibot';
import { StoredValue, validItems, type ValueStorage } from '../../base/storedValue.ts';
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

type LearnedConventionsStoreOptions = {
  readonly storage: ValueStorage;
  readonly clock: Clock;
  /** Called when a finding could not be kept: it is learned again. */
  readonly onProblem: (error: unknown) => void;
};

const mostExchanges = 20;
const maxFindingAgeMs = 30 * dayMs;

type StoredExchange = { readonly baseUrl: string; readonly learned: LearnedConventions };
const exchangeSchema: v.GenericSchema<unknown, StoredExchange> = v.object({
  baseUrl: v.string(),
  learned: learnedConventionsSchema,
});

/**
 * What was learned of each exchange, by its base URL, for all windows. What is damaged or older than 30 days is
 * forgotten. The practice exchange belongs to this window, and so does what is learned of it.
 */
export class LearnedConventionsByProfile {
  private readonly options: LearnedConventionsStoreOptions;
  /** The one that learned last is last. */
  private readonly exchanges: StoredValue<readonly StoredExchange[]>;
  private readonly practice = new Map<string, LearnedConventionsStore>();
  private readonly serverClocks = new Map<string, ServerClock>();

  constructor(options: LearnedConventionsStoreOptions) {
    this.options = options;
    const schema = validItems(exchangeSchema);
    // Written often; what is missing is learned again.
    this.exchanges = new StoredValue(options.storage, 'marginDesk.conventions', schema, [], 1);
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
    return {
      read: () => this.learnedOf(this.exchanges.get(), baseUrl),
      update: (change) => {
        const writing = this.exchanges.update((all) => {
          const learned = change(this.learnedOf(all, baseUrl));
          const others = all.filter((each) => each.baseUrl !== baseUrl);
          return [...others, { baseUrl, learned }].slice(-mostExchanges);
        });
        writing.catch(this.options.onProblem);
      },
    };
  }

  private learnedOf(all: readonly StoredExchange[], of: string): LearnedConventions {
    const { learned = nothingLearned } = all.find(({ baseUrl }) => baseUrl === of) ?? {};
    const oldest = this.options.clock.now() - maxFindingAgeMs;
    const recent = Object.entries(learned.findings).filter(([, { seenAt }]) => seenAt >= oldest);
    return { ...learned, findings: Object.fromEntries(recent) };
  }
}
