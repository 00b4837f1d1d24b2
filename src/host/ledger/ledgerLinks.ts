import * as v from 'valibot';

/** What stores JSON values for all windows: VS Code's global state. */
type Storage = {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
};

/** A ledger of a profile, and the account that it was read from. */
const linkSchema = v.object({ id: v.string(), fingerprint: v.string() });
export type LedgerLink = v.InferOutput<typeof linkSchema>;

const linksSchema = v.record(v.string(), v.array(linkSchema));
type Links = Readonly<Record<string, readonly LedgerLink[]>>;

const key = 'marginDesk.ledgers';
const writeAttempts = 5;

/** The ledgers of each profile, newest first: one for each account that its credentials belonged to. */
export class LedgerLinks {
  private readonly storage: Storage;

  constructor(storage: Storage) {
    this.storage = storage;
  }

  of(profile: string): readonly LedgerLink[] {
    const links = this.read();
    return Object.hasOwn(links, profile) ? (links[profile] ?? []) : [];
  }

  /** The ledger of a profile's account; undefined if it has none. */
  find(profile: string, fingerprint: string): LedgerLink | undefined {
    return this.of(profile).find((link) => link.fingerprint === fingerprint);
  }

  /** Replaces the profile's link to this ledger, or to this account. */
  async put(profile: string, link: LedgerLink): Promise<void> {
    const others = this.of(profile).filter(
      ({ id, fingerprint }) => id !== link.id && fingerprint !== link.fingerprint,
    );
    await this.write(profile, [link, ...others]);
  }

  async remove(profile: string, id: string): Promise<void> {
    await this.write(
      profile,
      this.of(profile).filter((link) => link.id !== id),
    );
  }

  async removeAll(profile: string): Promise<void> {
    await this.write(profile, []);
  }

  /** The ledgers follow a profile that is renamed. */
  async rename(from: string, to: string): Promise<void> {
    const moved = this.of(from);
    if (moved.length === 0) return;
    await this.write(to, [...moved, ...this.of(to)]);
    await this.write(from, []);
  }

  private read(): Links {
    const parsed = v.safeParse(linksSchema, this.storage.get(key) ?? {});
    return parsed.success ? parsed.output : {};
  }

  /** VS Code may drop a value if it learns of an earlier write at the same moment: then it is written again. */
  private async store(links: Links): Promise<void> {
    const written = JSON.stringify(links);
    for (let attempt = 0; attempt < writeAttempts; attempt += 1) {
      await this.storage.update(key, links);
      if (JSON.stringify(this.storage.get(key)) === written) return;
    }
  }

  private async write(profile: string, links: readonly LedgerLink[]): Promise<void> {
    const others = Object.entries(this.read()).filter(([name]) => name !== profile);
    const own = links.length === 0 ? [] : [[profile, links] as const];
    await this.store(Object.fromEntries([...others, ...own]));
  }
}
