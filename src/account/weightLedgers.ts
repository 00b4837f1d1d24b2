import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import type { Credentials } from '../exchange/auth/scheme.ts';
import { BooksFile } from '../exchange/ledger/booksFile.ts';
import { booksName } from '../exchange/ledger/booksName.ts';
import { booksInMemory, type BooksStore } from '../exchange/ledger/booksStore.ts';
import { removeOldBooks } from '../exchange/ledger/oldBooks.ts';
import { WeightLedger } from '../exchange/ledger/weightLedger.ts';
import { originOf, type Profile } from './profile.ts';

export type WeightLedgersOptions = {
  /** Where the books lie that all windows share. */
  readonly folder: string;
  readonly clock: Clock;
  /** The part of each limit that the desk may take, in (0, 1]. */
  readonly share: () => number;
  /** Told when books cannot be shared and this window goes on with its own. */
  readonly onProblem: (error: unknown) => void;
};

/** Milliseconds since the machine was started, the same for all its processes. */
const steadyNow = (): number => Number(process.hrtime.bigint() / 1_000_000n);

/** The weight ledgers of this window, one an exchange and key; they outlive the sessions that use them. */
export class WeightLedgers implements Disposable {
  private readonly options: WeightLedgersOptions;
  private readonly ledgers = new Map<string, WeightLedger>();

  constructor(options: WeightLedgersOptions) {
    this.options = options;
  }

  /** The ledger of a profile; the practice exchange is this window's own, and so are its books. */
  of(profile: Profile, credentials: Credentials): WeightLedger {
    const name = booksName(originOf(profile), credentials);
    const { clock, share } = this.options;
    const store = (): BooksStore =>
      profile.environment === 'practice' ? booksInMemory() : this.file(name);
    const ledger =
      this.ledgers.get(name) ?? new WeightLedger({ store: store(), clock, steadyNow, share });
    this.ledgers.set(name, ledger);
    return ledger;
  }

  private file(name: string): BooksStore {
    const { folder, clock, onProblem } = this.options;
    removeOldBooks(folder, clock.now()).catch(onProblem);
    return new BooksFile({ ...this.options, name });
  }

  dispose(): void {
    for (const ledger of this.ledgers.values()) ledger.dispose();
  }
}
