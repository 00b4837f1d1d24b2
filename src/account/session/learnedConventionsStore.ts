import * as v from 'valibot';
import {
  storageInMemory,
  storedList,
  type StoredList,
  type ValueStorage,
} from '../../base/storedValue.ts';
import { dayMs, type Clock } from '../../base/time.ts';
import { accountFingerprint, type Credentials } from '../../exchange/auth/credentials.ts';
import {
  learnedConventionsSchema,
  nothingLearned,
  type LearnedConventions,
  type LearnedConventionsStore,
} from '../../exchange/history/learnedConventions.ts';
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
  private readonly exchanges: StoredList<StoredExchange>;
  private readonly practice: StoredList<StoredExchange>;
  private readonly serverClocks = new Map<string, ServerClock>();

  constructor(options: LearnedConventionsStoreOptions) {
    this.options = options;
    const listIn = (storage: ValueStorage): StoredList<StoredExchange> =>
      // Written often; what is missing is learned again.
      storedList(storage, 'marginDesk.conventions', exchangeSchema, {
        limit: mostExchanges,
        maxWrites: 1,
      });
    this.exchanges = listIn(options.storage);
    this.practice = listIn(storageInMemory());
  }

  forProfile({ baseUrl, environment }: Profile): LearnedConventionsStore {
    const list = environment === 'practice' ? this.practice : this.exchanges;
    return {
      read: () => this.learnedOf(list.get(), baseUrl),
      update: (change) => {
        const writing = list.update((all) => {
          const learned = change(this.learnedOf(all, baseUrl));
          return [...all.filter((each) => each.baseUrl !== baseUrl), { baseUrl, learned }];
        });
        writing.catch(this.options.onProblem);
      },
    };
  }

  /** The clock of an account's exchange: what a test or an earlier session learned, all sessions know at once. */
  serverClockOf(profile: Profile, credentials: Credentials): ServerClock {
    const key = accountFingerprint(profile.baseUrl, credentials);
    const known = this.serverClocks.get(key);
    if (known) return known;
    const store = this.forProfile(profile);
    const serverClock = new ServerClock(this.options.clock, {
      get: () => store.read().clock,
      set: (clock) => store.update((learned) => ({ ...learned, clock })),
    });
    this.serverClocks.set(key, serverClock);
    return serverClock;
  }

  /** A finding expires by itself, an exchange with what else is known of it does not. */
  private learnedOf(all: readonly StoredExchange[], of: string): LearnedConventions {
    const { learned = nothingLearned } = all.find(({ baseUrl }) => baseUrl === of) ?? {};
    const oldest = this.options.clock.now() - maxFindingAgeMs;
    const recent = Object.entries(learned.findings).filter(([, { seenAt }]) => seenAt >= oldest);
    return { ...learned, findings: Object.fromEntries(recent) };
  }
}
