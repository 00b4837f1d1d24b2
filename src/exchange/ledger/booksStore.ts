import { emptyBooks, type Books } from './books.ts';
import type { Claim } from './claims.ts';

/** Where the books are kept. No member throws: books that cannot be kept are kept in memory. */
export type BooksStore = {
  /** The books as they are now, without waiting for anybody. */
  read(): Books;
  /** Changes them as one step that no other window can come between. `change` may be called again. */
  update(change: (books: Books) => Books): Promise<void>;
  /**
   * Shows a claim to all windows at once and gives the books as they are without it, every other
   * claim included; undefined when all claims together weigh more than `atMost`.
   */
  claim(claim: Claim, atMost: number): Books | undefined;
  /** Takes back a claim of which nothing was sent. */
  withdraw(claim: Claim): void;
};

/** Books of one process only, which needs to show itself no claims. */
export function booksInMemory(start: Partial<Books> = {}): BooksStore {
  let books: Books = { ...emptyBooks, ...start };
  return {
    read: () => books,
    update: (change) => {
      books = change(books);
      return Promise.resolve();
    },
    claim: () => books,
    withdraw: () => undefined,
  };
}
