import * as vscode from 'vscode';
import type { ActiveAccount } from '../../account/activeAccount.ts';
import type { ExchangeFacts } from '../../account/exchangeFacts.ts';
import { Session } from '../../account/session.ts';
import type { WeightLedgers } from '../../account/weightLedgers.ts';
import { systemClock } from '../../base/clock.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { SentenceError } from '../../base/sentenceError.ts';
import { fetchers } from '../../exchange/fetch.ts';
import { inBackground } from '../background.ts';
import { isCancellation, offerCure } from '../commandBoundary.ts';
import type { DisplayState } from '../displayState.ts';
import type { Log } from '../log.ts';
import { defaultProfileSetting, httpSetting, onDidChangeProfiles } from '../settings.ts';
import { quoted } from '../words.ts';
import { activeProfileKey } from './activeProfileKey.ts';
import type { CredentialStore } from './credentialStore.ts';
import { credentialsFor, CredentialsNeededError } from './credentialsNeeded.ts';
import type { Login } from './login.ts';
import { newlyMissed, offerToEnterAgain } from './missedCredentials.ts';
import type { PracticeExchange } from './practice.ts';
import { practiceName } from './profileName.ts';
import { findProfile } from './profileSettings.ts';

export type AccountsParts = {
  readonly active: ActiveAccount;
  readonly practice: PracticeExchange;
  readonly store: CredentialStore;
  readonly ledgers: WeightLedgers;
  readonly facts: ExchangeFacts;
  /** This window's own memory. */
  readonly memory: vscode.Memento;
  readonly display: DisplayState;
  readonly log: Log;
};

/**
 * Opens accounts by their profile's name, remembers which one this window has open, and opens it
 * anew when its settings or, in another window, its credentials change.
 */
export class Accounts implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly parts: AccountsParts;
  /** The profile that this window wants open, and its settings when it was opened. */
  private wanted: { readonly name: string; readonly settings: string } | undefined;
  /** How many are at work on the settings and see to the account themselves. */
  private holding = 0;

  constructor(parts: AccountsParts) {
    this.parts = parts;
    this.disposables.add(
      onDidChangeProfiles(() => {
        if (this.holding === 0) this.followSettings();
      }),
    );
    this.disposables.add(
      parts.store.onDidChange((name) => {
        if (name === this.wanted?.name) this.reopen();
      }),
    );
  }

  /** The profile that is open, or that could not be opened; undefined for none. */
  get wantedName(): string | undefined {
    return this.wanted?.name;
  }

  /**
   * Opens an account by name; rejects with a sentence when its profile is unknown, broken or without
   * credentials for its origin, and with an AbortError when another opening overtakes it.
   */
  async open(name: string): Promise<Session> {
    this.wanted = { name, settings: settingsOf(name) };
    const opening = this.parts.active.open(name, async () => this.connect(await this.login(name)));
    const [session] = await Promise.all([opening, this.remember(name)]);
    return session;
  }

  /** Opens an account whose profile and credentials are at hand; it is not remembered. */
  use(login: Login): Promise<Session> {
    this.wanted = undefined;
    return this.parts.active.open(login.profile.name, () => Promise.resolve(this.connect(login)));
  }

  /** Closes what is open, and forgets it: a reload of the window opens what a new one would. */
  async close(): Promise<void> {
    this.wanted = undefined;
    this.parts.active.close();
    await this.remember(undefined);
  }

  /**
   * Does `work` on the settings, which sees to the account itself: until it ends the account is not
   * opened anew by what changes.
   */
  async withoutReopening(work: () => Promise<void>): Promise<void> {
    this.holding += 1;
    try {
      await work();
    } finally {
      this.holding -= 1;
      this.followSettings();
    }
  }

  /**
   * At the start of a window: opens what it had open before it was reloaded, else what the settings
   * say a new one opens, and says whose credentials VS Code did not keep.
   */
  async restore(): Promise<void> {
    const name = this.parts.memory.get<string>(activeProfileKey) ?? defaultProfileSetting();
    if (name !== '') await this.reopenAtStart(name);
    const { log, store, display } = this.parts;
    const offer = offerToEnterAgain({ accounts: this, store, display }, await newlyMissed(store));
    inBackground(log, 'entering missed credentials', offer);
  }

  /** Where and how to reach the account of a profile; rejects with a sentence as `open` does. */
  async login(name: string): Promise<Login> {
    if (name === practiceName) return this.parts.practice.start();
    const entry = findProfile(name);
    if (entry === undefined)
      throw new SentenceError(
        vscode.l10n.t('There is no profile named “{0}”: switch to another.', quoted(name)),
        { cure: 'switchProfile' },
      );
    if (entry.kind === 'bad') throw new SentenceError(entry.problem, { cure: 'editProfile' });
    const { profile } = entry;
    return { profile, credentials: await credentialsFor(profile, this.parts.store) };
  }

  /** An account to ask, that is not the one of this window. Sends nothing by itself. */
  connect({ profile, credentials }: Login): Session {
    return new Session({
      profile,
      credentials,
      fetch: (url, request) => fetchers[httpSetting()](url, request),
      clock: systemClock,
      ledger: this.parts.ledgers.of(profile, credentials),
      facts: this.parts.facts.of(profile),
      onRequest: (record) => this.parts.log.request(record),
    });
  }

  dispose(): void {
    this.disposables.dispose();
  }

  /**
   * Why it cannot is said once; a profile that is gone is forgotten. That credentials are missing is
   * no error here: they may have been cleared on purpose. The views say so; a loss is told apart.
   */
  private async reopenAtStart(name: string): Promise<void> {
    try {
      await this.open(name);
    } catch (error) {
      if (isCancellation(error)) return;
      this.parts.log.failure('opening the account', error);
      if (error instanceof SentenceError && !isMissing(error))
        void offerCure(error, this.parts.display.current);
      if (settingsOf(name) === '') await this.remember(undefined);
    }
  }

  private followSettings(): void {
    if (this.wanted && settingsOf(this.wanted.name) !== this.wanted.settings) this.reopen();
  }

  /** Nobody waits for it: how it fails stands in the views; another host is worth a message. */
  private reopen(): void {
    if (!this.wanted) return;
    this.open(this.wanted.name).catch((error: unknown) => {
      if (isCancellation(error)) return;
      this.parts.log.failure('opening the account anew', error);
      if (error instanceof CredentialsNeededError && error.need.kind === 'otherOrigin')
        void offerCure(error, this.parts.display.current);
    });
  }

  private async remember(name: string | undefined): Promise<void> {
    await this.parts.memory.update(activeProfileKey, name);
  }
}

function isMissing(error: SentenceError): boolean {
  return error instanceof CredentialsNeededError && ['none', 'lost'].includes(error.need.kind);
}

/** A profile's settings as text that can be compared; empty where it has none. */
function settingsOf(name: string): string {
  if (name === practiceName) return name;
  const entry = findProfile(name);
  return entry ? JSON.stringify(entry) : '';
}
