import * as v from 'valibot';
import { AccountSession } from '../../account/session/accountSession.ts';
import { LearnedConventionsByProfile } from '../../account/session/learnedConventionsStore.ts';
import type { Profile } from '../../account/session/profile.ts';
import { RateLimits } from '../../account/session/rateLimits.ts';
import { escapeInvisible } from '../../base/cleanText.ts';
import { DisposableOwner } from '../../base/disposable.ts';
import { UserFacingError } from '../../base/errors.ts';
import { systemClock } from '../../base/time.ts';
import { createMachineClock } from '../shared/machineClock.ts';
import { ExchangeConventions } from '../../exchange/history/exchangeConventions.ts';
import { fetchers } from '../../exchange/http/fetch.ts';
import type { FeatureContext } from '../feature/context.ts';
import { isCancellation, showErrorWithAction } from '../text/commandErrors.ts';
import { activeProfileKey } from '../shared/contributions.ts';
import { onDidChangeSetting } from '../settings/settings.ts';
import { settingValue } from '../settings/settingValues.ts';
import { StoredValue } from '../../base/storedValue.ts';
import { untrustedText } from '../text/messageText.ts';
import {
  requireCredentials,
  CredentialsRequiredError,
  type ConnectionDetails,
} from './credentials.ts';
import { CredentialStore, type CredentialStorage } from './credentialStore.ts';
import { PracticeExchange } from './practiceExchange.ts';
import { validProfile, practiceName } from './parseProfile.ts';
import { findProfile } from './profileSettings.ts';
import { t } from '../shared/translate.ts';

export function registerConnection(
  context: FeatureContext,
  storage: CredentialStorage,
): AccountConnection {
  return context.add(new AccountConnection(context, storage));
}

/**
 * Opens accounts by the name of their profile and remembers which one this window has open. Reopens it
 * when its settings change, or when another window changes its credentials.
 */
export class AccountConnection extends DisposableOwner {
  private readonly clock = createMachineClock();
  private readonly options: FeatureContext;
  readonly practice: PracticeExchange;
  readonly credentialStore: CredentialStore;
  private readonly rateLimits: RateLimits;
  private readonly learnedConventions: LearnedConventionsByProfile;
  private readonly storedName: StoredValue<string | undefined>;
  /** The profile that this window wants open, and its settings when it was opened. */
  private target: { readonly name: string; readonly settings: string } | undefined;
  /** How many commands are changing the settings and will reopen the account themselves. */
  private reopenLocks = 0;

  constructor(options: FeatureContext, storage: CredentialStorage) {
    super();
    const { log } = options;
    this.options = options;
    this.practice = this.disposables.add(new PracticeExchange(options.file('dist/practice.cjs')));
    this.credentialStore = this.disposables.add(new CredentialStore(storage));
    this.rateLimits = this.disposables.add(
      new RateLimits({
        folder: options.storageFolder('rateLimits'),
        clock: systemClock,
        share: () => settingValue('marginDesk.weightShare'),
        onProblem: (error) => log.failure('sharing the rate-limit file', error),
      }),
    );
    this.learnedConventions = new LearnedConventionsByProfile({
      storage: options.globalState,
      clock: systemClock,
      onProblem: (error) => log.failure('storing learned API conventions', error),
    });
    const name = v.optional(v.string());
    this.storedName = new StoredValue(options.workspaceState, activeProfileKey, name, {
      initial: undefined,
    });
    this.disposables.add(
      onDidChangeSetting(['marginDesk.profiles'], () => {
        if (this.reopenLocks === 0) this.reopenIfSettingsChanged();
      }),
    );
    this.disposables.add(
      this.credentialStore.onDidChange((name) => {
        if (name === this.target?.name) this.reopen();
      }),
    );
  }

  /** The profile that is open, or that could not be opened. */
  get profileName(): string | undefined {
    return this.target?.name;
  }

  /**
   * Opens an account by name. Rejects with a UserFacingError if its profile is unknown, invalid or
   * has no credentials for its origin, and with an AbortError if another account is opened meanwhile.
   */
  async open(name: string): Promise<AccountSession> {
    this.target = { name, settings: settingsSnapshot(name) };
    const opening = this.options.active.open(name, async () =>
      this.createSession(await this.resolveConnection(name)),
    );
    const [session] = await Promise.all([opening, this.storedName.set(name)]);
    return session;
  }

  /** Closes the account and forgets it: after a reload, the window opens the default profile. */
  async close(): Promise<void> {
    this.target = undefined;
    this.options.active.close();
    await this.storedName.set(undefined);
  }

  /** Reads the account of a profile now if its last read failed: another request has just worked. */
  retryFailedRead(name: string): void {
    const { state } = this.options.active;
    if (state.kind !== 'open' || state.session.profile.name !== name) return;
    const { store, refresher } = state.session;
    if (store.state.failure !== undefined) refresher.refresh().catch(() => undefined);
  }

  /** Runs `work`, which changes the settings and reopens the account itself. */
  async withoutReopening(work: () => Promise<void>): Promise<void> {
    this.reopenLocks += 1;
    try {
      await work();
    } finally {
      this.reopenLocks -= 1;
      this.reopenIfSettingsChanged();
    }
  }

  /**
   * Opens what this window had open before it was reloaded, else the default profile. Shows why that
   * failed, except for missing credentials: they may have been cleared on purpose, and the views say so.
   */
  async restore(): Promise<void> {
    const { log, display } = this.options;
    const name = this.storedName.get() ?? settingValue('marginDesk.defaultProfile');
    if (name === '') return;
    try {
      await this.open(name);
    } catch (error) {
      if (isCancellation(error)) return;
      log.failure('opening the account', error);
      if (error instanceof UserFacingError && !areCredentialsMissing(error))
        void showErrorWithAction(error, display.current);
      if (settingsSnapshot(name) === '') await this.storedName.set(undefined);
    }
  }

  /** The profile and credentials of a name. Rejects with a UserFacingError as `open` does. */
  async resolveConnection(name: string): Promise<ConnectionDetails> {
    if (name === practiceName) return this.practice.start();
    const entry = findProfile(name);
    if (entry === undefined)
      throw new UserFacingError(
        t(
          'There is no profile named “{0}”. Switch to another.',
          untrustedText(escapeInvisible(name)),
        ),
        { suggestedAction: 'switchProfile' },
      );
    const profile = validProfile(entry);
    return {
      profile,
      credentials: await requireCredentials(profile, this.credentialStore),
    };
  }

  /** A session that is not the active one. Sends nothing yet. */
  createSession({ profile, credentials }: ConnectionDetails): AccountSession {
    return new AccountSession({
      profile,
      credentials,
      fetch: (url, request) => fetchers[settingValue('marginDesk.http')](url, request),
      clock: this.clock,
      rateLimiter: this.rateLimits.forProfile(profile, credentials),
      learnedConventions: this.learnedConventions.forProfile(profile),
      serverClock: this.learnedConventions.serverClockOf(profile, credentials),
      onRequest: (record) => this.options.log.request(record),
    });
  }

  /** What is set and known now of the API of a profile's exchange. */
  conventionsOf(profile: Profile): ExchangeConventions {
    const learned = this.learnedConventions.forProfile(profile);
    return new ExchangeConventions(profile.dialect, learned);
  }

  private reopenIfSettingsChanged(): void {
    if (this.target && settingsSnapshot(this.target.name) !== this.target.settings) this.reopen();
  }

  /** The views show why it failed. Credentials for another origin also get a message. */
  private reopen(): void {
    if (!this.target) return;
    this.open(this.target.name).catch((error: unknown) => {
      if (isCancellation(error)) return;
      this.options.log.failure('reopening the account', error);
      if (error instanceof CredentialsRequiredError && error.problem.kind === 'otherOrigin')
        void showErrorWithAction(error, this.options.display.current);
    });
  }
}

function areCredentialsMissing(error: UserFacingError): boolean {
  return error instanceof CredentialsRequiredError && ['none', 'lost'].includes(error.problem.kind);
}

/** A profile's settings as text to compare; empty if there is no such profile. */
function settingsSnapshot(name: string): string {
  if (name === practiceName) return name;
  const entry = findProfile(name);
  return entry ? JSON.stringify(entry) : '';
}
