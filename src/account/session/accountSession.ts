import { DisposableOwner } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import type { Clock } from '../../base/time.ts';
import { accountFingerprint, type Credentials } from '../../exchange/auth/credentials.ts';
import { clientKey, ExchangeClient } from '../../exchange/client.ts';
import { ExchangeConventions } from '../../exchange/history/exchangeConventions.ts';
import type { LearnedConventionsStore } from '../../exchange/history/learnedConventions.ts';
import { parseBaseUrl } from '../../exchange/http/baseUrl.ts';
import type { Fetch } from '../../exchange/http/fetch.ts';
import type { RemoveSecrets } from '../../exchange/http/redactor.ts';
import type { RequestLogEntry } from '../../exchange/http/requestLog.ts';
import type { ServerClock } from '../../exchange/http/serverClock.ts';
import type { RateLimiter } from '../../exchange/rateLimit/rateLimiter.ts';
import type { ExchangeInformation, FeeTier, LeverageRule } from '../../exchange/records.ts';
import { AccountStore, type Snapshot } from './accountStore.ts';
import { CachedRead } from './cachedRead.ts';
import type { Profile } from './profile.ts';
import { Refresher } from './refresher.ts';
import { StalenessMonitor } from './staleness.ts';

type AccountSessionOptions = {
  readonly profile: Profile;
  readonly credentials: Credentials;
  readonly fetch: Fetch;
  readonly clock: Clock;
  /** Of this exchange and these credentials; it outlives the session. */
  readonly rateLimiter: RateLimiter;
  /** What was learned of this exchange; it outlives the session. */
  readonly learnedConventions?: LearnedConventionsStore;
  /** The exchange's clock as this account knows it; it outlives the session. */
  readonly serverClock?: ServerClock;
  /** A request was sent and ended, however it ended; also one that outlasts the session. */
  readonly onRequest?: (entry: RequestLogEntry) => void;
};

/** One open account: what is known of it, and what keeps that fresh. */
export class AccountSession extends DisposableOwner {
  private readonly didChange = this.disposables.add(new Emitter<void>());
  /** The account's figures, their age, or the requests that wait for weight changed. */
  readonly onDidChange: Event<void> = this.didChange.event;
  readonly profile: Profile;
  /** Tells accounts apart without a part of their keys. */
  readonly fingerprint: string;
  /** Takes the credentials out of a text of the exchange that will be kept. */
  readonly redact: RemoveSecrets;
  readonly rateLimiter: RateLimiter;
  readonly [clientKey]: ExchangeClient;
  /** Reads reference data now. */
  readonly reference: Pick<ExchangeClient, 'exchangeInfo' | 'list'>;
  readonly conventions: ExchangeConventions;
  readonly store: AccountStore;
  readonly refresher: Refresher;
  /** Whether what is known of the account can still be trusted. */
  readonly staleness: StalenessMonitor;
  readonly exchangeInformation: CachedRead<ExchangeInformation>;
  readonly leverageRules: CachedRead<readonly LeverageRule[]>;
  /** For the ledger, which stores them with the account. */
  readonly feeTiers: CachedRead<readonly FeeTier[]>;

  /** Throws a UserFacingError when the profile's base URL is not valid. Sends nothing yet. */
  constructor({ profile, onRequest, learnedConventions, ...options }: AccountSessionOptions) {
    super();
    const { auth, sign: signedOperations, readOnly, dialect } = profile;
    const { clock, rateLimiter, credentials } = options;
    const baseUrl = parseBaseUrl(profile.baseUrl);
    const conventions = new ExchangeConventions(dialect, learnedConventions);
    const { didChange } = this;
    const didRequest = new Emitter<RequestLogEntry>();
    if (onRequest) didRequest.event(onRequest);
    const target = { baseUrl, auth, signedOperations, readOnly, conventions };
    const client = new ExchangeClient({ ...options, ...target, onRequest: didRequest.fire });
    const store = new AccountStore(didChange);
    this.profile = profile;
    this.fingerprint = accountFingerprint(baseUrl, credentials);
    this.redact = client.redactor.removeSecrets;
    this.rateLimiter = rateLimiter;
    this[clientKey] = client;
    this.reference = {
      exchangeInfo: (requested) => client.exchangeInfo(requested),
      list: (name, requested) => client.list(name, requested),
    };
    this.conventions = conventions;
    this.store = store;
    const onCountdown = didChange.fire;
    const refresher = this.disposables.add(new Refresher({ store, clock, client, onCountdown }));
    this.refresher = refresher;
    const intervalMs = (): number => refresher.intervalMs;
    this.staleness = this.disposables.add(
      new StalenessMonitor({ store, clock, intervalMs, didChange }),
    );
    this.disposables.add(rateLimiter.onDidChange(didChange.fire));
    this.exchangeInformation = new CachedRead(
      async () => (await client.exchangeInfo()).value,
      clock,
    );
    this.leverageRules = new CachedRead(async () => (await client.list('leverage')).value, clock);
    this.feeTiers = new CachedRead(
      async () => (await client.list('feeTiers', { priority: 'refresh' })).value,
      clock,
    );
  }

  /** The exchange's time in epoch milliseconds, and no later than that, as far as its answers show. */
  serverNow(): number {
    return this[clientKey].serverNow();
  }

  /** Reads the account for a person, even in a long pause: the exchange may answer again. */
  refresh(): Promise<Snapshot> {
    const { refresher, rateLimiter } = this;
    return rateLimiter.allowOneInPause()
      ? refresher.refreshNow('interactive')
      : refresher.refresh();
  }
}
