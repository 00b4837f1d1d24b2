import * as vscode from 'vscode';
import type { ActiveAccount } from '../../account/activeAccount.ts';
import { Session } from '../../account/session.ts';
import type { WeightLedgers } from '../../account/weightLedgers.ts';
import { systemClock } from '../../base/clock.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { SentenceError } from '../../base/sentenceError.ts';
import { fetchers } from '../../exchange/fetch.ts';
import { offerCure } from '../commandBoundary.ts';
import type { Log } from '../log.ts';
import { defaultProfileSetting, httpSetting, onDidChangeProfiles } from '../settings.ts';
import { quoted } from '../words.ts';
import type { CredentialStore } from './credentialStore.ts';
import { credentialsFor, CredentialsNeededError } from './credentialsNeeded.ts';
import type { Login } from './login.ts';
import type { PracticeExchange } from './practice.ts';
import { practiceName } from './profileName.ts';
import { findProfile } from './profileSettings.ts';

const activeProfileKey = 'marginDesk.activeProfile';

export type AccountsParts = {
  readonly active: ActiveAccount;
  readonly practice: PracticeExchange;
  readonly store: CredentialStore;
  readonly ledgers: WeightLedgers;
  /** This window's own memory. */
  readonly memory: vscode.Memento;
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

  constructor(parts: AccountsParts) {
    this.parts = parts;
    this.disposables.add(
      onDidChangeProfiles(() => {
        if (this.wanted && settingsOf(this.wanted.name) !== this.wanted.settings) this.reopen();
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
   * credentials. `entered` are credentials that were entered just now, kept by VS Code or not.
   */
  async open(name: string, entered?: Login['credentials']): Promise<Session> {
    this.wanted = { name, settings: settingsOf(name) };
    const opening = this.parts.active.open(name, async () =>
      this.connect(await this.login(name, entered)),
    );
    const [session] = await Promise.all([opening, this.remember(name)]);
    return session;
  }

  /** Opens an account whose profile and credentials are at hand; it is not remembered. */
  use(login: Login): Promise<Session> {
    this.wanted = undefined;
    return this.parts.active.open(login.profile.name, () => Promise.resolve(this.connect(login)));
  }

  /** Closes what is open; a reload of the window opens nothing by itself. */
  async close(): Promise<void> {
    this.wanted = undefined;
    this.parts.active.close();
    await this.remember(undefined);
  }

  /**
   * Opens what this window had open before it was reloaded, else what the settings say a new one
   * opens. Why it cannot is said once; a profile that is gone is forgotten.
   */
  async restore(): Promise<void> {
    const name = this.parts.memory.get<string>(activeProfileKey) ?? defaultProfileSetting();
    if (name === '') return;
    try {
      await this.open(name);
    } catch (error) {
      this.parts.log.failure('opening the account', error);
      if (error instanceof SentenceError) void offerCure(error);
      if (settingsOf(name) === '') await this.remember(undefined);
    }
  }

  /** Where and how to reach the account of a profile; rejects with a sentence as `open` does. */
  async login(name: string, entered?: Login['credentials']): Promise<Login> {
    if (name === practiceName) return this.parts.practice.start();
    const entry = findProfile(name);
    if (entry === undefined)
      throw new SentenceError(
        vscode.l10n.t('There is no profile named “{0}”: switch to another.', quoted(name)),
        { cure: 'switchProfile' },
      );
    if (entry.kind === 'bad') throw new SentenceError(entry.problem, { cure: 'editProfile' });
    const { profile } = entry;
    return { profile, credentials: entered ?? (await credentialsFor(profile, this.parts.store)) };
  }

  /** An account to ask, that is not the one of this window. Sends nothing by itself. */
  connect({ profile, credentials }: Login): Session {
    return new Session({
      profile,
      credentials,
      fetch: (url, request) => fetchers[httpSetting()](url, request),
      clock: systemClock,
      ledger: this.parts.ledgers.of(profile, credentials),
      onRequest: (record) => this.parts.log.request(record),
    });
  }

  dispose(): void {
    this.disposables.dispose();
  }

  /** Nobody waits for it: how it fails stands in the views; another host is worth a message. */
  private reopen(): void {
    if (!this.wanted) return;
    this.open(this.wanted.name).catch((error: unknown) => {
      this.parts.log.failure('opening the account anew', error);
      if (error instanceof CredentialsNeededError && error.need.kind === 'otherOrigin')
        void offerCure(error);
    });
  }

  private async remember(name: string | undefined): Promise<void> {
    await this.parts.memory.update(activeProfileKey, name);
  }
}

/** A profile's settings as text that can be compared; empty where it has none. */
function settingsOf(name: string): string {
  if (name === practiceName) return name;
  const entry = findProfile(name);
  return entry ? JSON.stringify(entry) : '';
}
