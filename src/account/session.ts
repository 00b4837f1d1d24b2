import type { Clock } from '../base/clock.ts';
import { DisposableStore, type Disposable } from '../base/disposable.ts';
import type { Credentials } from '../exchange/auth/scheme.ts';
import { parseBaseUrl } from '../exchange/baseUrl.ts';
import { ExchangeClient } from '../exchange/client.ts';
import type { Fetch } from '../exchange/fetch.ts';
import { WeightMeter } from '../exchange/ledger/weightMeter.ts';
import { Transport, type RequestRecord } from '../exchange/transport.ts';
import { AccountStore } from './accountStore.ts';
import type { Profile } from './profile.ts';
import { Refresher } from './refresher.ts';

export type SessionOptions = {
  readonly profile: Profile;
  readonly credentials: Credentials;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly onRequest?: (record: RequestRecord) => void;
};

/** One open account: its client, what is known of it, and what keeps that fresh. */
export class Session implements Disposable {
  private readonly disposables = new DisposableStore();
  readonly profile: Profile;
  /** What this session's requests cost against the exchange's limit. */
  readonly weight = new WeightMeter();
  readonly client: ExchangeClient;
  readonly store: AccountStore;
  readonly refresher: Refresher;

  /** Throws a SentenceError when the profile's base URL is no good. Sends nothing yet. */
  constructor({ profile, ...options }: SessionOptions) {
    const { auth, sign: signedOperations, readOnly, dialect } = profile;
    const baseUrl = parseBaseUrl(profile.baseUrl);
    const transport = new Transport({
      ...options,
      baseUrl,
      auth,
      signedOperations,
      readOnly,
      onRequest: (record) => {
        this.weight.spend(record.weight, options.clock.now());
        options.onRequest?.(record);
      },
    });
    this.profile = profile;
    this.client = new ExchangeClient(transport, dialect);
    this.store = this.disposables.add(new AccountStore());
    this.refresher = this.disposables.add(
      new Refresher({
        store: this.store,
        clock: options.clock,
        read: (signal) => this.client.accounts(signal),
      }),
    );
  }

  dispose(): void {
    this.disposables.dispose();
  }
}
