import * as v from 'valibot';
import type { AccountSession } from '../../account/session/accountSession.ts';
import type { Snapshot } from '../../account/session/accountStore.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { runSequentially, UserFacingError } from '../../base/errors.ts';
import { LedgerError } from '../../ledger/ledgerError.ts';
import { Ledgers } from '../../ledger/ledgers.ts';
import { compareAccount } from '../../ledger/sync/accountMatch.ts';
import { settingValue } from '../settings/settingValues.ts';
import { logRejection } from '../shared/log.ts';
import { storedList, type StoredList, type ValueStorage } from '../../base/storedValue.ts';
import { t } from '../shared/translate.ts';
import type { DownloadRuns } from './downloadRuns.ts';
import {
  askSameAccount,
  confirmUncompared,
  otherAccountError,
  showNotCurrent,
} from './ledgerQuestions.ts';
import { LedgerSession } from '../../account/ledger/ledgerSession.ts';
import type { AccountLedger } from './openLedger.ts';
import type { Services } from '../settings/services.ts';

/** A ledger of a profile, and the account that it was read from. */
const linkSchema = v.object({ profile: v.string(), id: v.string(), fingerprint: v.string() });
type LedgerLink = v.InferOutput<typeof linkSchema>;

/** The ledgers of each profile, newest first: one for each account that its credentials belonged to. */
export class LedgerLinks {
  private readonly links: StoredList<LedgerLink>;

  constructor(storage: ValueStorage) {
    this.links = storedList(storage, 'marginDesk.ledgers', linkSchema);
  }

  of(profile: string): readonly LedgerLink[] {
    return this.links.get().filter((link) => link.profile === profile);
  }

  /** Replaces the profile's link to this ledger, or to this account. */
  async put(added: LedgerLink): Promise<void> {
    await this.links.update((links) => [
      added,
      ...links.filter(
        ({ profile, id, fingerprint }) =>
          profile !== added.profile || (id !== added.id && fingerprint !== added.fingerprint),
      ),
    ]);
  }

  async remove(removed: readonly Pick<LedgerLink, 'profile' | 'id'>[]): Promise<void> {
    await this.links.update((links) =>
      links.filter(
        ({ profile, id }) => !removed.some((one) => one.profile === profile && one.id === id),
      ),
    );
  }

  async rename(from: string, to: string): Promise<void> {
    await this.links.update((links) => [
      ...links.filter((link) => link.profile === from).map((link) => ({ ...link, profile: to })),
      ...links.filter((link) => link.profile !== from),
    ]);
  }
}

type ProfileLedgersOptions = Pick<Services, 'active' | 'log'> & {
  readonly ledgers: Ledgers;
  readonly links: LedgerLinks;
  /** What panels show of the open account. */
  readonly shown: AccountLedger;
  readonly downloads: DownloadRuns;
  /** It is known again which rows are the oldest that the exchange lists. */
  readonly onOldestRows: (ledger: LedgerSession) => void;
};

/**
 * The ledgers of the profiles. Opens that of the account that is open, keeps it current, and continues
 * its download. A ledger is shown only for the account that it was read from.
 */
export class ProfileLedgers implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly options: ProfileLedgersOptions;
  readonly links: LedgerLinks;
  private account: AccountSession | undefined;
  private read: Snapshot | undefined;
  private current: LedgerSession | undefined;
  private startingPractice = Promise.resolve();
  private isAsking = false;
  /** Why the open ledger is not kept current, as the user has read it. */
  private reported: LedgerError['problem'] | undefined;

  constructor(options: ProfileLedgersOptions) {
    this.options = options;
    this.links = options.links;
    this.disposables.add(options.active.onDidChange(() => this.follow()));
  }

  get open(): LedgerSession | undefined {
    return this.current;
  }

  /**
   * The ledger of the open account, if it has one. After other credentials, the user is asked whose the
   * ledger of the profile is. Rejects with a UserFacingError or LedgerError if there can be none.
   */
  async find(): Promise<LedgerSession | undefined> {
    if (!Ledgers.isSupported()) throw new LedgerError('unsupported');
    const account = await this.options.active.session();
    this.follow();
    await this.startingPractice;
    if (this.current) return this.current;
    const earlier = this.earlierLink(account);
    if (account.profile.environment === 'practice') await this.startPractice(account);
    else if (earlier) await this.confirmSameAccount(account, earlier, true);
    return this.current;
  }

  /** The same; rejects also if there is none. */
  async require(): Promise<LedgerSession> {
    const ledger = await this.find();
    if (ledger) return ledger;
    const text = t('The open account has no ledger. Download its history to start one.');
    throw new UserFacingError(text, { suggestedAction: 'downloadHistory' });
  }

  /** The same; starts one, which the user has agreed to. Undefined if the user does not say whose it is. */
  async findOrStart(): Promise<LedgerSession | undefined> {
    const account = await this.options.active.session();
    const found = await this.find();
    if (!found && !this.earlierLink(account))
      await this.start(account, this.options.ledgers.create());
    return this.current;
  }

  /** Shows a ledger, from now on, for the account; an earlier one of the account is deleted, not what was set aside. */
  async start(account: AccountSession, id: string): Promise<void> {
    const { links, ledgers } = this.options;
    const profile = account.profile.name;
    const fingerprint = accountKey(account);
    const earlier = this.linkOf(account);
    await links.put({ profile, id, fingerprint });
    // Some systems do not delete a file that is in use.
    if (this.current?.id === earlier?.id) await this.closeLedger();
    const { account: open } = this;
    const isOpen = open?.profile.name === profile && accountKey(open) === fingerprint;
    if (isOpen) this.openLedger(open, id);
    if (earlier && earlier.id !== id) ledgers.replace(earlier.id, id);
  }

  /** Deletes all ledgers of a profile that is removed; rejects with the LedgerError of one that stays. */
  removeOfProfile(name: string): Promise<void> {
    return this.remove(this.options.links.of(name));
  }

  async remove(removed: Parameters<LedgerLinks['remove']>[0]): Promise<void> {
    const { links, ledgers } = this.options;
    if (removed.some(({ id }) => id === this.current?.id)) await this.closeLedger();
    await links.remove(removed);
    await runSequentially(
      removed.map(
        ({ id }) =>
          () =>
            ledgers.deleteUnlessNewer(id),
      ),
    );
  }

  dispose(): void {
    this.disposables.dispose();
    void this.closeLedger();
  }

  /** Opens and closes the ledger with its account, and passes on what was read of the account. */
  private follow(): void {
    const { state } = this.options.active;
    const account = state.kind === 'open' ? state.session : undefined;
    if (account !== this.account) {
      this.account = account;
      this.read = undefined;
      void this.closeLedger();
      if (account) this.openLinked(account);
    }
    const read = account?.store.state.snapshot;
    if (!read || read === this.read) return;
    this.read = read;
    if (this.current) this.take(this.current, read);
  }

  private openLinked(account: AccountSession): void {
    const { ledgers, log } = this.options;
    if (!Ledgers.isSupported()) return;
    const link = this.linkOf(account);
    if (link && ledgers.exists(link.id)) this.openLedger(account, link.id);
    else if (account.profile.environment === 'practice')
      logRejection(log, 'starting the practice ledger', this.startPractice(account));
    else logRejection(log, 'asking whether it is the same account', this.askQuietly(account));
  }

  private startPractice(account: AccountSession): Promise<void> {
    this.startingPractice = this.start(account, this.options.ledgers.create());
    return this.startingPractice;
  }

  private linkOf(account: AccountSession): LedgerLink | undefined {
    const fingerprint = accountKey(account);
    return this.options.links
      .of(account.profile.name)
      .find((link) => link.fingerprint === fingerprint);
  }

  /** The ledger that the profile had with other credentials. */
  private earlierLink({ profile }: AccountSession): LedgerLink | undefined {
    const { links, ledgers } = this.options;
    return links.of(profile.name).find(({ id }) => ledgers.exists(id));
  }

  /** One notification at a time: an account may be opened again while it stands. */
  private async askQuietly(account: AccountSession): Promise<void> {
    const earlier = this.earlierLink(account);
    if (!earlier || this.isAsking) return;
    this.isAsking = true;
    try {
      await this.confirmSameAccount(account, earlier, false);
    } finally {
      this.isAsking = false;
    }
  }

  /** After other credentials: continues the profile's ledger, or starts another one. */
  private async confirmSameAccount(
    account: AccountSession,
    { id }: LedgerLink,
    modal: boolean,
  ): Promise<void> {
    const answer = await askSameAccount(account.profile, modal);
    if (answer === 'same' && (await this.isSameAccount(account, id))) await this.start(account, id);
    if (answer === 'other') await this.start(account, this.options.ledgers.create());
  }

  /**
   * Whether a ledger is shown for the account. The user decides if the exchange lists nothing that does.
   * Rejects with a UserFacingError if it lists other rows.
   */
  async isSameAccount(account: AccountSession, id: string): Promise<boolean> {
    const store = this.options.ledgers.open(id);
    try {
      const match = await compareAccount(account, store);
      if (match === 'other') throw otherAccountError();
      return match !== 'undecided' || (await confirmUncompared(account.profile));
    } finally {
      await store.close();
    }
  }

  private openLedger(account: AccountSession, id: string): void {
    void this.closeLedger();
    const { ledgers, shown } = this.options;
    const onProblem = (error: unknown): void => this.onProblem(account, error);
    this.reported = undefined;
    const store = ledgers.open(id);
    this.current = new LedgerSession({ id, account, store, mayRead: mayKeepCurrent, onProblem });
    shown.show(this.current);
    if (this.read) this.take(this.current, this.read);
  }

  private async closeLedger(): Promise<void> {
    const { current } = this;
    this.current = undefined;
    this.options.shown.show(undefined);
    await current?.close();
  }

  private take(ledger: LedgerSession, read: Snapshot): void {
    void this.takeAsWriter(ledger, read).catch((error: unknown) => {
      if (!ledger.signal.aborted) this.onProblem(ledger.account, error);
    });
  }

  /** What the user has to put right is shown, once for as long as the ledger is open. */
  private onProblem({ profile }: AccountSession, error: unknown): void {
    this.options.log.failure('keeping the ledger current', error);
    if (!(error instanceof LedgerError) || !['full', 'forbidden'].includes(error.problem)) return;
    if (this.reported === error.problem) return;
    this.reported = error.problem;
    showNotCurrent(profile, error);
  }

  /** One window keeps the ledger current and downloads; another shows that, and continues once it is closed. */
  private async takeAsWriter(ledger: LedgerSession, read: Snapshot): Promise<void> {
    const isKept = mayKeepCurrent();
    // A window that reads nothing into the ledger must not keep another one from it.
    const isReader = isKept || (await ledger.download.isBegun());
    if (!isReader || !(await ledger.claimWriting())) return ledger.lookForWrites();
    const { downloads } = this.options;
    if (ledger.account.profile.environment === 'practice' && isKept) downloads.fillPractice(ledger);
    else downloads.goOn(ledger);
    await ledger.keepSymbols();
    if (!isKept) return;
    await ledger.take(read);
    if (await ledger.noteOldestRows()) this.options.onOldestRows(ledger);
  }
}

function mayKeepCurrent(): boolean {
  return settingValue('marginDesk.ledger.keepCurrent');
}

/** The practice exchange has another address and key in each window, and the same account. */
export function accountKey({ profile, fingerprint }: AccountSession): string {
  return profile.environment === 'practice' ? 'practice' : fingerprint;
}
