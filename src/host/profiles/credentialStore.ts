import * as v from 'valibot';
import { createHash } from 'node:crypto';
import { DisposableOwner, type Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import { credentialNames, type Credentials } from '../../exchange/auth/credentials.ts';
import { storedList, type StoredList, type ValueStorage } from '../../base/storedValue.ts';

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
const credentialsSchema = v.object(v.entriesFromList(credentialNames, v.exactOptional(v.string())));

/**
 * The only user of VS Code's secret storage: one value per profile, bound to the origin that it was
 * entered for. A value that VS Code does not keep is used from memory until the window is reloaded.
 */
export class CredentialStore extends DisposableOwner {
  private readonly didChange = this.disposables.add(new Emitter<string>());
  private readonly storage: CredentialStorage;
  /** The profiles that credentials were stored for, so that a loss is noticed. */
  private readonly storedNames: StoredList<string>;
  /** Those whose loss was reported, so that it is reported once. */
  private readonly reportedNames: StoredList<string>;
  /** What this window last saw: tells its own changes from those of another window. */
  private readonly lastSeenHashes = new Map<string, string>();
  /** Profiles whose value this window is storing: a change event is its own. */
  private readonly writing = new Set<string>();
  /** Values that VS Code did not keep, by profile. They take precedence over stored ones. */
  private readonly unsavedValues = new Map<string, string>();

  /** Another window stored, replaced or deleted the credentials of the profile of this name. */
  readonly onDidChange: Event<string> = this.didChange.event;

  constructor(storage: CredentialStorage) {
    super();
    this.storage = storage;
    const { globalState } = storage;
    this.storedNames = storedList(globalState, 'marginDesk.credentialNames', v.string());
    this.reportedNames = storedList(globalState, 'marginDesk.missedCredentials', v.string());
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
    return { kind: this.storedNames.get().includes(name) ? 'lost' : 'none' };
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
    await this.storedNames.update((names) => without(names, name));
    await this.reportedNames.update((names) => without(names, name));
  }

  /**
   * Moves the credentials of a renamed profile. False if VS Code does not return what was stored or does not
   * keep it under the new name: it stays under the old one.
   */
  async rename(from: string, to: string): Promise<boolean> {
    const stored = await this.readText(from);
    const text = this.unsavedValues.get(from) ?? stored;
    if (text === undefined) return !this.storedNames.get().includes(from);
    this.unsavedValues.delete(from);
    const isKept = await this.put(to, text);
    if (stored !== undefined && !isKept) return false;
    await this.remove(from);
    return true;
  }

  /** The names that credentials are or were stored for, including those of deleted profiles. */
  async names(): Promise<readonly string[]> {
    const keys = (await this.storage.secrets.keys?.()) ?? [];
    const found = keys
      .filter((key) => key.startsWith(keyPrefix))
      .map((key) => key.slice(keyPrefix.length));
    return [...new Set([...found, ...this.storedNames.get()])].sort();
  }

  /**
   * The names whose stored credentials are gone, each loss once: a later call does not return it again.
   * Names that are not relevant count as not reported.
   */
  async takeNewlyMissing(isRelevant: (name: string) => boolean): Promise<readonly string[]> {
    const names = this.storedNames.get();
    const reported = this.reportedNames.get();
    const texts = await Promise.all(names.map((name) => this.readText(name)));
    const missing = names
      .filter((name, index) => texts[index] === undefined && !this.unsavedValues.has(name))
      .filter(isRelevant);
    await this.reportedNames.set(missing);
    return missing.filter((name) => !reported.includes(name));
  }

  private async put(name: string, text: string): Promise<boolean> {
    this.unsavedValues.set(name, text);
    this.writing.add(name);
    try {
      await this.storedNames.update((names) => [...without(names, name), name]);
      await this.reportedNames.update((names) => without(names, name));
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
    try {
      return await this.storage.secrets.get(keyPrefix + name);
    } catch {
      return undefined;
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

function without(names: readonly string[], name: string): readonly string[] {
  return names.filter((other) => other !== name);
}
