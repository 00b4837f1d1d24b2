import type { Clock } from '../base/clock.ts';
import { DisposableStore, type Disposable } from '../base/disposable.ts';
import { Emitter, type Event } from '../base/emitter.ts';
import { accountFingerprint } from '../exchange/auth/fingerprint.ts';
import type { Credentials } from '../exchange/auth/scheme.ts';
import { scrubberOf, type Scrub } from '../exchange/auth/scrub.ts';
import { parseBaseUrl } from '../exchange/baseUrl.ts';
import { ExchangeClient } from '../exchange/client.ts';
import { DialectBook } from '../exchange/dialect/dialectBook.ts';
import type { FactsKeeper } from '../exchange/dialect/facts.ts';
import type { Fetch } from '../exchange/fetch.ts';
import type { WeightLedger } from '../exchange/ledger/weightLedger.ts';
import type { RequestRecord } from '../exchange/requestRecord.ts';
import { Transport } from '../exchange/transport.ts';
import type { ExchangeInformation, LeverageRule } from '../exchange/records.ts';
import { AccountStore } from './accountStore.ts';
import { Freshness } from './freshness.ts';
import type { Profile } from './profile.ts';
import { Reference } from './reference.ts';
import { Refresher } from './refresher.ts';

export type SessionOptions = {
  readonly profile: Profile;
  readonly credentials: Credentials;
  readonly fetch: Fetch;
  readonly clock: Clock;
  /** Of this exchange and these credentials; it outlives the session. */
  readonly ledger: WeightLedger;
  /** What was learned of this exchange; it outlives the session. */
  readonly facts?: FactsKeeper;
  readonly onRequest?: (record: RequestRecord) => void;
};

/** One open account: its client, what is known of it, and what keeps that fresh. */
export class Session implements Disposable {
  private readonly disposables = new DisposableStore();
  readonly profile: Profile;
  /** Tells accounts apart without a part of their keys. */
  readonly fingerprint: string;
  /** Takes the credentials out of a text of the exchange that will be kept. */
  readonly scrub: Scrub;
  readonly ledger: WeightLedger;
  private readonly didWait = this.disposables.add(new Emitter<void>());
  /** Requests began or ceased to wait for weight. */
  readonly onDidWait: Event<void> = this.didWait.event;
  private readonly didRequest = new Emitter<RequestRecord>();
  /** A request was sent and ended, however it ended; also one that outlasts the session. */
  readonly onDidRequest: Event<RequestRecord> = this.didRequest.event;
  /** Asks with the priority of what a person waits for. */
  readonly client: ExchangeClient;
  readonly store: AccountStore;
  readonly refresher: Refresher;
  /** Whether what is known of the account is still to be trusted. */
  readonly freshness: Freshness;
  readonly exchangeInformation: Reference<ExchangeInformation>;
  readonly leverageRules: Reference<readonly LeverageRule[]>;

  /** Throws a SentenceError when the profile's base URL is no good. Sends nothing yet. */
  constructor({ profile, ...options }: SessionOptions) {
    const { auth, sign: signedOperations, readOnly, dialect } = profile;
    const { clock } = options;
    const baseUrl = parseBaseUrl(profile.baseUrl);
    const book = new DialectBook(dialect, options.facts);
    const { overLimitStatuses } = book.dialect;
    const transport = new Transport({
      ...options,
      baseUrl,
      auth,
      signedOperations,
      readOnly,
      overLimitStatuses,
      onRequest: (record) => this.didRequest.fire(record),
    });
    if (options.onRequest) this.onDidRequest(options.onRequest);
    this.profile = profile;
    this.fingerprint = accountFingerprint(baseUrl, options.credentials);
    this.scrub = scrubberOf(options.credentials);
    this.ledger = options.ledger;
    this.disposables.add(options.ledger.onDidChange(() => this.didWait.fire()));
    this.client = new ExchangeClient(transport, book);
    this.store = this.disposables.add(new AccountStore());
    this.refresher = this.disposables.add(
      new Refresher({
        store: this.store,
        clock,
        read: (signal, priority) => this.client.at(priority).accounts(signal),
      }),
    );
    this.freshness = this.disposables.add(
      new Freshness({ store: this.store, clock, intervalMs: () => this.refresher.intervalMs }),
    );
    const { client } = this;
    this.exchangeInformation = new Reference(
      async () => (await client.exchangeInfo()).value,
      clock,
    );
    this.leverageRules = new Reference(async () => (await client.leverage()).value, clock);
  }

  dispose(): void {
    this.disposables.dispose();
  }
}
