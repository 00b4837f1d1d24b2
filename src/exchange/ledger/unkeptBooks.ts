import type { Clock } from '../../base/clock.ts';
import type { Books } from './books.ts';
import type { BooksStore } from './booksStore.ts';
import { afterClockStep } from './booksTimes.ts';
import type { Claim } from './claims.ts';
import { ClockStep } from './clockStep.ts';

/** A change of the books that can be made twice without harm. */
export type Change = (books: Books) => Books;

/** The books of a store, with what this process changed and the store has not taken yet. */
export class UnkeptBooks {
  private readonly store: BooksStore;
  private readonly clock: Clock;
  private readonly steadyNow: () => number;
  private clockStep: ClockStep | undefined;
  private unkept: readonly Change[] = [];

  constructor(store: BooksStore, clock: Clock, steadyNow: () => number) {
    this.store = store;
    this.clock = clock;
    this.steadyNow = steadyNow;
  }

  get isKept(): boolean {
    return this.unkept.length === 0;
  }

  read(): Books {
    this.noticeClockStep();
    return made(this.unkept, this.store.read());
  }

  change(change: Change): void {
    this.noticeClockStep();
    this.unkept = [...this.unkept, change];
  }

  /** One step of the store: takes everything unkept, and then `last`, which may be called again. */
  async keep(last: Change): Promise<void> {
    const keptAt = this.noticeClockStep();
    const changes = this.unkept;
    await this.store.update((books) => ({ ...last(made(changes, books)), keptAt }));
    this.unkept = this.unkept.slice(changes.length);
  }

  announce(claim: Claim): readonly Claim[] {
    return this.store.announce(claim);
  }

  withdraw(claim: Claim): void {
    this.store.withdraw(claim);
  }

  private noticeClockStep() {
    this.clockStep ??= new ClockStep(this.clock, this.steadyNow, this.store.read().keptAt);
    const jumpMs = this.clockStep.take();
    const now = this.clockStep.now();
    if (jumpMs !== 0) this.unkept = [...this.unkept, (books) => afterClockStep(books, jumpMs, now)];
    return now;
  }
}

function made(changes: readonly Change[], books: Books): Books {
  return changes.reduce((changed, change) => change(changed), books);
}
