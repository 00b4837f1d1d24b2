import { Emitter } from '../../src/base/emitter.ts';
import type { CredentialStorage } from '../../src/host/profiles/credentialStore.ts';

/** What an extension keeps in VS Code, shared by the windows that a test opens on it. */
export class FakeSecrets {
  readonly values = new Map<string, string>();
  readonly state = new Map<string, unknown>();
  /** False: what is stored is dropped without a word, as on a system without a keyring. */
  keeps = true;
  /** False: nothing can be opened, as with a keyring that is locked. */
  gives = true;
  private readonly didChange = new Emitter<{ readonly key: string }>();

  /** One window's view; `listsKeys` is false for a VS Code that cannot. */
  places({ listsKeys = true } = {}): CredentialStorage {
    const { values, state, didChange } = this;
    return {
      secrets: {
        get: (key) =>
          this.gives ? Promise.resolve(values.get(key)) : Promise.reject(new Error('locked')),
        store: (key, value) => this.change(key, () => this.keeps && values.set(key, value)),
        delete: (key) => this.change(key, () => values.delete(key)),
        ...(listsKeys ? { keys: () => Promise.resolve([...values.keys()]) } : {}),
        onDidChange: (listener) => didChange.event(listener),
      },
      globalState: {
        get: (key) => state.get(key),
        update: (key, value) => {
          if (value === undefined) state.delete(key);
          else state.set(key, value);
          return Promise.resolve();
        },
      },
    };
  }

  private change(key: string, act: () => unknown): Promise<void> {
    act();
    this.didChange.fire({ key });
    return Promise.resolve();
  }
}
