import type { Clock } from '../../base/clock.ts';
import { delayed, type Books } from './books.ts';
import type { BooksStore } from './booksStore.ts';
import { ClockStep } from './clockStep.ts';

/** A change of the books that can be made twice without harm. */
export type Change = (books: Books) => Books;

/** The books of a store, with what this process changed and the store has not taken yet. */
export class UnkeptBooks {
  private readonly store: BooksStore;
  private readonly clock: Clock;
  private readonly clockStep: ClockStep;
  private readonly unkept: Change[] = [];

  constructor(store: BooksStore, clock: Clock, steadyNow: () => number) {
    this.store = store;
    this.clock = clock;
    this.clockStep = new ClockStep(clock, steadyNow);
  }

  get isKept(): boolean {
    return this.unkept.length === 0;
  }

  read(): Books {
    this.noticeClockStep();
    return this.unkept.reduce((books, change) => change(books), this.store.read());
  }

  change(change: Change): void {
    this.unkept.push(change);
  }

  /** One step of the store: takes everything unkept, and then `last`, which may be called again. */
  async keep(last: Change): Promise<void> {
    this.noticeClockStep();
    const changes = [...this.unkept];
    await this.store.update((kept) => last(changes.reduce((books, change) => change(books), kept)));
    this.unkept.splice(0, changes.length);
  }

  private noticeClockStep(): void {
    const jumpMs = this.clockStep.take();
    const now = this.clock.now();
    if (jumpMs > 0) this.change((books) => delayed(books, jumpMs, now));
  }
}
