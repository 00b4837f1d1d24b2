import * as v from 'valibot';
import { StoredValue, validItems, type ValueStorage } from '../shared/storedValue.ts';

/** A ledger of a profile, and the account that it was read from. */
const linkSchema = v.object({ profile: v.string(), id: v.string(), fingerprint: v.string() });
export type LedgerLink = v.InferOutput<typeof linkSchema>;

/** The ledgers of each profile, newest first: one for each account that its credentials belonged to. */
export class LedgerLinks {
  private readonly links: StoredValue<readonly LedgerLink[]>;

  constructor(storage: ValueStorage) {
    this.links = new StoredValue(storage, 'marginDesk.ledgers', validItems(linkSchema), []);
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

  /** The ledgers follow a profile that is renamed. */
  async rename(from: string, to: string): Promise<void> {
    await this.links.update((links) => [
      ...links.filter((link) => link.profile === from).map((link) => ({ ...link, profile: to })),
      ...links.filter((link) => link.profile !== from),
    ]);
  }
}
