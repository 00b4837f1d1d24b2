import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import type { CredentialField, Credentials } from '../../exchange/auth/scheme.ts';

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
const markerKey = 'marginDesk.credentialNames';

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
 * was entered for. Beside it the global state keeps the names of the profiles that have one, so that
 * a value that VS Code did not keep is missed.
 */
export class CredentialStore implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly didChange = this.disposables.add(new Emitter<string>());
  private readonly places: SecretPlaces;
  /** What this window last saw, so that it knows its own doing from another window's. */
  private readonly seen = new Map<string, string>();

  /** Another window stored, replaced or deleted the credentials of the profile of this name. */
  readonly onDidChange: Event<string> = this.didChange.event;

  constructor(places: SecretPlaces) {
    this.places = places;
    this.disposables.add(
      places.secrets.onDidChange(({ key }) => {
        if (key.startsWith(keyPrefix)) void this.compare(key.slice(keyPrefix.length));
      }),
    );
  }

  async read(name: string): Promise<KeptCredentials> {
    const text = await this.text(name);
    this.seen.set(name, fingerprint(text));
    if (text !== undefined) return parse(text);
    return { kind: this.marked().includes(name) ? 'lost' : 'none' };
  }

  /** Stores credentials and reads them back; false when VS Code did not keep them. */
  async write(name: string, origin: string, credentials: Credentials): Promise<boolean> {
    const text = JSON.stringify({ v: 1, origin, ...credentials });
    this.seen.set(name, fingerprint(text));
    await this.mark([...this.marked().filter((other) => other !== name), name]);
    try {
      await this.places.secrets.store(keyPrefix + name, text);
      return (await this.text(name)) === text;
    } catch {
      return false;
    }
  }

  async remove(name: string): Promise<void> {
    this.seen.set(name, fingerprint(undefined));
    await this.places.secrets.delete(keyPrefix + name);
    await this.mark(this.marked().filter((other) => other !== name));
  }

  /** Moves credentials, as they are, along with a profile that is renamed. */
  async rename(from: string, to: string): Promise<void> {
    const kept = await this.read(from);
    if (kept.kind === 'kept') await this.write(to, kept.origin, kept.credentials);
    if (kept.kind !== 'none') await this.remove(from);
  }

  /** The profiles that credentials are kept for, or were marked as kept; with a profile or without. */
  async names(): Promise<readonly string[]> {
    const keys = (await this.places.secrets.keys?.()) ?? [];
    const found = keys
      .filter((key) => key.startsWith(keyPrefix))
      .map((key) => key.slice(keyPrefix.length));
    return [...new Set([...found, ...this.marked()])].sort();
  }

  dispose(): void {
    this.disposables.dispose();
  }

  /** A storage that fails to open a value counts as one that has none. */
  private async text(name: string): Promise<string | undefined> {
    try {
      return await this.places.secrets.get(keyPrefix + name);
    } catch {
      return undefined;
    }
  }

  private async compare(name: string): Promise<void> {
    const now = fingerprint(await this.text(name));
    const changed = this.seen.get(name) !== now;
    this.seen.set(name, now);
    if (changed) this.didChange.fire(name);
  }

  private marked(): readonly string[] {
    const names = this.places.globalState.get(markerKey);
    return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
  }

  private async mark(names: readonly string[]): Promise<void> {
    await this.places.globalState.update(markerKey, names.length === 0 ? undefined : names);
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
