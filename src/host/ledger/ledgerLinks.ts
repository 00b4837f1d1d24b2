import * as v from 'valibot';
import { StoredValue, validItems, type ValueStorage } from '../shared/storedValue.ts';

/** A ledger of a profile, and the account that it was read from. */
const linkSchema = v.object({ id: v.string(), fingerprint: v.string() });
export type LedgerLink = v.InferOutput<typeof linkSchema>;

const linkOfProfile = v.object({ profile: v.string(), ...linkSchema.entries });
type LinkOfProfile = v.InferOutput<typeof linkOfProfile>;

/** The ledgers of each profile, newest first: one for each account that its credentials belonged to. */
export class LedgerLinks {
  private readonly links: StoredValue<readonly LinkOfProfile[]>;

  constructor(storage: ValueStorage) {
    this.links = new StoredValue(storage, 'marginDesk.ledgers', validItems(linkOfProfile), []);
  }

  of(profile: string): readonly LedgerLink[] {
    return this.links
      .get()
      .filter((link) => link.profile === profile)
      .map(({ id, fingerprint }) => ({ id, fingerprint }));
  }

  /** The ledger of a profile's account; undefined if it has none. */
  find(profile: string, fingerprint: string): LedgerLink | undefined {
    return this.of(profile).find((link) => link.fingerprint === fingerprint);
  }

  /** Replaces the profile's link to this ledger, or to this account. */
  async put(profile: string, { id, fingerprint }: LedgerLink): Promise<void> {
    await this.links.update((links) => [
      { profile, id, fingerprint },
      ...links.filter(
        (link) => link.profile !== profile || (link.id !== id && link.fingerprint !== fingerprint),
      ),
    ]);
  }

  async remove(profile: string, id: string): Promise<void> {
    await this.links.update((links) =>
      links.filter((link) => link.profile !== profile || link.id !== id),
    );
  }

  async removeAll(profile: string): Promise<void> {
    await this.links.update((links) => links.filter((link) => link.profile !== profile));
  }

  /** The ledgers follow a profile that is renamed. */
  async rename(from: string, to: string): Promise<void> {
    await this.links.update((links) => [
      ...links.filter((link) => link.profile === from).map((link) => ({ ...link, profile: to })),
      ...links.filter((link) => link.profile !== from),
    ]);
  }
}
