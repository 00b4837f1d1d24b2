import * as v from 'valibot';
import { createHash } from 'node:crypto';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import type { CredentialField, Credentials } from '../../exchange/auth/scheme.ts';
import { StoredValue, validItems, type ValueStorage } from '../storedValue.ts';

/** The parts of `vscode.ExtensionContext` that are used here. */
export type CredentialStorage = {
  readonly secrets: {
    get(key: string): Thenable<string | undefined>;
    store(key: string, value: string): Thenable<void>;
    delete(key: string): Thenable<void>;
    /** Every key of this extension; newer versions of VS Code have it. */
    keys?(): Thenable<string[]>;
    onDidChange(listener: (change: { readonly key: string }) => void): Disposable;
  };
  readonly globalState: ValueStorage;
};

/**
 * The credentials of a profile. `lost`: they were stored and VS Code no longer has them. `damaged`: the
 * stored value cannot be read; it stays until credentials are stored again or cleared.
 */
export type StoredCredentials =
  | { readonly kind: 'stored'; readonly origin: string; readonly credentials: Credentials }
  | { readonly kind: 'none' | 'lost' | 'damaged' };

const keyPrefix = 'marginDesk.credentials:';

const bindingSchema = v.object({ v: v.literal(1), origin: v.string() });
const field = v.exactOptional(v.string());
const credentialsSchema = v.object({
  apiKey: field,
  apiSecret: field,
  token: field,
  user: field,
  password: field,
  passphrase: field,
  privateKey: field,
} satisfies Record<CredentialField, unknown>);

/**
 * The only user of VS Code's secret storage: one value per profile, bound to the origin that it was
 * entered for. A value that VS Code does not keep is used from memory until the window is reloaded.
 */
export class CredentialStore implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly didChange = this.disposables.add(new Emitter<string>());
  private readonly storage: CredentialStorage;
  private readonly index: CredentialIndex;
  /** What this window last saw: tells its own changes from those of another window. */
  private readonly lastSeenHashes = new Map<string, string>();
  /** Profiles whose value this window is storing: a change event is its own. */
  private readonly writing = new Set<string>();
  /** Values that VS Code did not keep, by profile. They take precedence over stored ones. */
  private readonly unsavedValues = new Map<string, string>();

  /** Another window stored, replaced or deleted the credentials of the profile of this name. */
  readonly onDidChange: Event<string> = this.didChange.event;

  constructor(storage: CredentialStorage) {
    this.storage = storage;
    this.index = new CredentialIndex(storage.globalState);
    this.disposables.add(
      storage.secrets.onDidChange(({ key }) => {
        if (key.startsWith(keyPrefix)) void this.detectExternalChange(key.slice(keyPrefix.length));
      }),
    );
  }

  async read(name: string): Promise<StoredCredentials> {
    const stored = await this.readText(name);
    this.lastSeenHashes.set(name, hashOf(stored));
    const text = this.unsavedValues.get(name) ?? stored;
    if (text !== undefined) return parse(text);
    return { kind: this.index.names.includes(name) ? 'lost' : 'none' };
  }

  /**
   * Stores credentials and reads them back. False if VS Code did not keep them: they are used until
   * this window is reloaded.
   */
  async write(name: string, origin: string, credentials: Credentials): Promise<boolean> {
    return this.put(name, JSON.stringify({ v: 1, origin, ...credentials }));
  }

  async remove(name: string): Promise<void> {
    this.unsavedValues.delete(name);
    this.lastSeenHashes.set(name, hashOf(undefined));
    await this.storage.secrets.delete(keyPrefix + name);
    await this.index.remove(name);
  }

  /**
   * Moves the credentials of a renamed profile. False if VS Code does not return the value or does not
   * keep it under the new name: it stays under the old one.
   */
  async rename(from: string, to: string): Promise<boolean> {
    const stored = await this.tryReadText(from);
    const text = this.unsavedValues.get(from) ?? (stored === 'failed' ? undefined : stored?.text);
    if (text === undefined) {
      if (stored !== 'failed') await this.index.rename(from, to);
      return stored !== 'failed';
    }
    this.unsavedValues.delete(from);
    const kept = await this.put(to, text);
    if (stored === 'failed') return true;
    if (stored && !kept) return false;
    await this.remove(from);
    return true;
  }

  /** The names that credentials are or were stored for, including those of deleted profiles. */
  async names(): Promise<readonly string[]> {
    const keys = (await this.storage.secrets.keys?.()) ?? [];
    const found = keys
      .filter((key) => key.startsWith(keyPrefix))
      .map((key) => key.slice(keyPrefix.length));
    return [...new Set([...found, ...this.index.names])].sort();
  }

  /**
   * The names whose stored credentials are gone, each loss once: a later call does not return it again.
   * Names that are not relevant count as not reported.
   */
  async takeNewlyMissing(isRelevant: (name: string) => boolean): Promise<readonly string[]> {
    const { names, reportedMissing } = this.index;
    const texts = await Promise.all(names.map((name) => this.readText(name)));
    const missing = names
      .filter((name, index) => texts[index] === undefined && !this.unsavedValues.has(name))
      .filter(isRelevant);
    await this.index.setReportedMissing(missing);
    return missing.filter((name) => !reportedMissing.includes(name));
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private async put(name: string, text: string): Promise<boolean> {
    this.unsavedValues.set(name, text);
    this.writing.add(name);
    try {
      await this.index.add(name);
      await this.storage.secrets.store(keyPrefix + name, text).then(undefined, () => undefined);
      const found = await this.readText(name);
      this.lastSeenHashes.set(name, hashOf(found));
      if (found === text) this.unsavedValues.delete(name);
      return found === text;
    } finally {
      this.writing.delete(name);
    }
  }

  /** A value that cannot be read counts as absent. */
  private async readText(name: string): Promise<string | undefined> {
    const found = await this.tryReadText(name);
    return found === 'failed' ? undefined : found?.text;
  }

  private async tryReadText(
    name: string,
  ): Promise<{ readonly text: string } | undefined | 'failed'> {
    try {
      const text = await this.storage.secrets.get(keyPrefix + name);
      return text === undefined ? undefined : { text };
    } catch {
      return 'failed';
    }
  }

  private async detectExternalChange(name: string): Promise<void> {
    const now = hashOf(await this.readText(name));
    if (this.writing.has(name) || this.lastSeenHashes.get(name) === now) return;
    this.lastSeenHashes.set(name, now);
    this.unsavedValues.delete(name);
    this.didChange.fire(name);
  }
}

function parse(text: string): StoredCredentials {
  try {
    const value: unknown = JSON.parse(text);
    const { origin } = v.parse(bindingSchema, value);
    return { kind: 'stored', origin, credentials: v.parse(credentialsSchema, value) };
  } catch {
    return { kind: 'damaged' };
  }
}

/** Distinguishes values without keeping them. */
function hashOf(text: string | undefined): string {
  return text === undefined ? '' : createHash('sha256').update(text).digest('hex');
}

type StoredNames = StoredValue<readonly string[]>;

/**
 * Profile names in VS Code's global state: those that credentials were stored for, so that a loss is
 * noticed, and those whose loss was reported, so that it is reported once.
 */
class CredentialIndex {
  private readonly stored: StoredNames;
  private readonly reported: StoredNames;

  constructor(state: ValueStorage) {
    const names = validItems(v.string());
    this.stored = new StoredValue(state, 'marginDesk.credentialNames', names, []);
    this.reported = new StoredValue(state, 'marginDesk.missedCredentials', names, []);
  }

  get names(): readonly string[] {
    return this.stored.get();
  }

  /** The profiles whose loss was already reported. */
  get reportedMissing(): readonly string[] {
    return this.reported.get();
  }

  /** Records that credentials were stored; a later loss is reported again. */
  async add(name: string): Promise<void> {
    await this.stored.update((names) => [...without(names, name), name]);
    await this.reported.update((names) => without(names, name));
  }

  async remove(name: string): Promise<void> {
    await this.stored.update((names) => without(names, name));
    await this.reported.update((names) => without(names, name));
  }

  /** Moves the entries of one name to another; does nothing if there are none. */
  async rename(from: string, to: string): Promise<void> {
    for (const names of [this.stored, this.reported])
      await names.update((all) =>
        all.includes(from) ? [...without(without(all, from), to), to] : all,
      );
  }

  /** Replaces the list of profiles whose loss was reported. */
  async setReportedMissing(names: readonly string[]): Promise<void> {
    await this.reported.set(names);
  }
}

function without(names: readonly string[], name: string): readonly string[] {
  return names.filter((other) => other !== name);
}
