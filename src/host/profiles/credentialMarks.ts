import type { SecretPlaces } from './credentialStore.ts';

const marksKey = 'marginDesk.credentialNames';
const toldKey = 'marginDesk.missedCredentials';

/**
 * Names in VS Code's global state: the profiles that credentials were stored for, so that what is
 * not kept is missed, and those of them whose loss was told, so that it is told once.
 */
export class CredentialMarks {
  private readonly state: SecretPlaces['globalState'];

  constructor(state: SecretPlaces['globalState']) {
    this.state = state;
  }

  get names(): readonly string[] {
    return this.namesAt(marksKey);
  }

  /** The profiles whose loss was told when it was last looked for. */
  get told(): readonly string[] {
    return this.namesAt(toldKey);
  }

  /** Credentials were stored: a loss of them is news again. */
  async add(name: string): Promise<void> {
    await this.put(marksKey, [...without(this.names, name), name]);
    await this.put(toldKey, without(this.told, name));
  }

  async drop(name: string): Promise<void> {
    await this.put(marksKey, without(this.names, name));
    await this.put(toldKey, without(this.told, name));
  }

  /** Moves what is known of one name to another; nothing where it has no mark. */
  async rename(from: string, to: string): Promise<void> {
    for (const key of [marksKey, toldKey]) {
      const names = this.namesAt(key);
      if (names.includes(from)) await this.put(key, [...without(without(names, from), to), to]);
    }
  }

  /** From now on the loss of these, and of no others, is no news. */
  async tell(names: readonly string[]): Promise<void> {
    await this.put(toldKey, names);
  }

  private namesAt(key: string): readonly string[] {
    const names = this.state.get(key);
    return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
  }

  private async put(key: string, names: readonly string[]): Promise<void> {
    if (names.length > 0 || this.state.get(key) !== undefined)
      await this.state.update(key, names.length === 0 ? undefined : names);
  }
}

function without(names: readonly string[], name: string): readonly string[] {
  return names.filter((other) => other !== name);
}
