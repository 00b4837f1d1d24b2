import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import type { CredentialField, Credentials } from '../../exchange/auth/scheme.ts';
import { CredentialMarks } from './credentialMarks.ts';

/** The parts of `vscode.ExtensionContext` that are used here. */
export type SecretPlaces = {
  readonly secrets: {
    get(key: string): Thenable<string | undefined>;
    store(key: string, value: string): Thenable<void>;
    delete(key: string): Thenable<void>;
    /** Every key of this extension; newer versions of VS Code have it. */
    keys?(): Thenable<string[]>;
    onDidChange(listener: (change: { readonly key: string }) => void): Disposable;
  };
  readonly globalState: {
    get(key: string): unknown;
    update(key: string, value: unknown): Thenable<void>;
  };
};

/**
 * What is kept for a profile. `lost`: it was stored, and VS Code has it no more; `damaged`: what is
 * there cannot be read; it is left alone until credentials are stored anew or cleared.
 */
export type KeptCredentials =
  | { readonly kind: 'kept'; readonly origin: string; readonly credentials: Credentials }
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
 * The one place that touches VS Code's secret storage: one value a profile, bound to the origin it
 * was entered for. What VS Code does not keep serves from this window's memory, bound in the same way.
 */
export class CredentialStore implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly didChange = this.disposables.add(new Emitter<string>());
  private readonly places: SecretPlaces;
  private readonly marks: CredentialMarks;
  /** What this window last saw, so that it knows its own doing from another window's. */
  private readonly seen = new Map<string, string>();
  /** The profiles whose value is being stored: until that is read back, a change is its own. */
  private readonly writing = new Set<string>();
  /** The values that VS Code did not keep, by profile; they go before what it still has. */
  private readonly refused = new Map<string, string>();

  /** Another window stored, replaced or deleted the credentials of the profile of this name. */
  readonly onDidChange: Event<string> = this.didChange.event;

  constructor(places: SecretPlaces) {
    this.places = places;
    this.marks = new CredentialMarks(places.globalState);
    this.disposables.add(
      places.secrets.onDidChange(({ key }) => {
        if (key.startsWith(keyPrefix)) void this.compare(key.slice(keyPrefix.length));
      }),
    );
  }

  async read(name: string): Promise<KeptCredentials> {
    const stored = await this.text(name);
    this.seen.set(name, fingerprint(stored));
    const text = this.refused.get(name) ?? stored;
    if (text !== undefined) return parse(text);
    return { kind: this.marks.names.includes(name) ? 'lost' : 'none' };
  }

  /**
   * Stores credentials and reads them back; false when VS Code did not keep them: they serve until
   * this window is reloaded.
   */
  async write(name: string, origin: string, credentials: Credentials): Promise<boolean> {
    return this.put(name, JSON.stringify({ v: 1, origin, ...credentials }));
  }

  async remove(name: string): Promise<void> {
    this.refused.delete(name);
    this.seen.set(name, fingerprint(undefined));
    await this.places.secrets.delete(keyPrefix + name);
    await this.marks.drop(name);
  }

  /**
   * Moves credentials, as they are, along with a profile that is renamed. False when VS Code does
   * not give the value, or does not keep it under the new name: it stays under the old one.
   */
  async rename(from: string, to: string): Promise<boolean> {
    const stored = await this.textIfAny(from);
    const text = this.refused.get(from) ?? (stored === 'failed' ? undefined : stored?.text);
    if (text === undefined) {
      if (stored !== 'failed') await this.marks.rename(from, to);
      return stored !== 'failed';
    }
    this.refused.delete(from);
    const kept = await this.put(to, text);
    if (stored === 'failed') return true;
    if (stored && !kept) return false;
    await this.remove(from);
    return true;
  }

  /** The profiles that credentials are kept for, or were marked as kept; with a profile or without. */
  async names(): Promise<readonly string[]> {
    const keys = (await this.places.secrets.keys?.()) ?? [];
    const found = keys
      .filter((key) => key.startsWith(keyPrefix))
      .map((key) => key.slice(keyPrefix.length));
    return [...new Set([...found, ...this.marks.names])].sort();
  }

  /** The profiles whose credentials were stored and are not there; `told`: this is no news. */
  async missing(): Promise<readonly { readonly name: string; readonly told: boolean }[]> {
    const { names, told } = this.marks;
    const texts = await Promise.all(names.map((name) => this.text(name)));
    return names
      .filter((name, index) => texts[index] === undefined && !this.refused.has(name))
      .map((name) => ({ name, told: told.includes(name) }));
  }

  /** The loss of these was told; of all others it would be news. */
  async tell(names: readonly string[]): Promise<void> {
    await this.marks.tell(names);
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private async put(name: string, text: string): Promise<boolean> {
    this.refused.set(name, text);
    this.writing.add(name);
    try {
      await this.marks.add(name);
      await this.places.secrets.store(keyPrefix + name, text).then(undefined, () => undefined);
      const found = await this.text(name);
      this.seen.set(name, fingerprint(found));
      if (found === text) this.refused.delete(name);
      return found === text;
    } finally {
      this.writing.delete(name);
    }
  }

  /** A storage that fails to open a value counts as one that has none. */
  private async text(name: string): Promise<string | undefined> {
    const found = await this.textIfAny(name);
    return found === 'failed' ? undefined : found?.text;
  }

  private async textIfAny(name: string): Promise<{ readonly text: string } | undefined | 'failed'> {
    try {
      const text = await this.places.secrets.get(keyPrefix + name);
      return text === undefined ? undefined : { text };
    } catch {
      return 'failed';
    }
  }

  private async compare(name: string): Promise<void> {
    const now = fingerprint(await this.text(name));
    if (this.writing.has(name) || this.seen.get(name) === now) return;
    this.seen.set(name, now);
    this.refused.delete(name);
    this.didChange.fire(name);
  }
}

function parse(text: string): KeptCredentials {
  try {
    const value: unknown = JSON.parse(text);
    const { origin } = v.parse(bindingSchema, value);
    return { kind: 'kept', origin, credentials: v.parse(credentialsSchema, value) };
  } catch {
    return { kind: 'damaged' };
  }
}

/** Tells values apart without holding them. */
function fingerprint(text: string | undefined): string {
  return text === undefined ? '' : createHash('sha256').update(text).digest('hex');
}
