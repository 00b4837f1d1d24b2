/** The parts of `vscode.Memento` that are used here. */
export type CredentialIndexState = {
  get(key: string): unknown;
  update(key: string, value: unknown): Thenable<void>;
};

const storedNamesKey = 'marginDesk.credentialNames';
const reportedMissingKey = 'marginDesk.missedCredentials';

/**
 * Profile names in VS Code's global state: those that credentials were stored for, so that a loss is
 * noticed, and those whose loss was reported, so that it is reported once.
 */
export class CredentialIndex {
  private readonly state: CredentialIndexState;

  constructor(state: CredentialIndexState) {
    this.state = state;
  }

  get names(): readonly string[] {
    return this.namesAt(storedNamesKey);
  }

  /** The profiles whose loss was already reported. */
  get reportedMissing(): readonly string[] {
    return this.namesAt(reportedMissingKey);
  }

  /** Records that credentials were stored; a later loss is reported again. */
  async add(name: string): Promise<void> {
    await this.put(storedNamesKey, [...without(this.names, name), name]);
    await this.put(reportedMissingKey, without(this.reportedMissing, name));
  }

  async remove(name: string): Promise<void> {
    await this.put(storedNamesKey, without(this.names, name));
    await this.put(reportedMissingKey, without(this.reportedMissing, name));
  }

  /** Moves the entries of one name to another; does nothing if there are none. */
  async rename(from: string, to: string): Promise<void> {
    for (const key of [storedNamesKey, reportedMissingKey]) {
      const names = this.namesAt(key);
      if (names.includes(from)) await this.put(key, [...without(without(names, from), to), to]);
    }
  }

  /** Replaces the list of profiles whose loss was reported. */
  async setReportedMissing(names: readonly string[]): Promise<void> {
    await this.put(reportedMissingKey, names);
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
