import { emptyBooks, type Books } from './books.ts';
import type { Claim } from './claims.ts';

/** Where the books are kept. No member throws: books that cannot be kept are kept in memory. */
export type BooksStore = {
  /** The books as they are now, claims included, without waiting for anybody. */
  read(): Books;
  /** Changes them as one step that no other window can come between. `change` may be called again. */
  update(change: (books: Books) => Books): Promise<void>;
  /**
   * Shows a claim to all windows at once and gives all claims that are not booked yet, this one too.
   * Whoever decides by them, and by the books as they are read after that, has overlooked nobody.
   */
  announce(claim: Claim): readonly Claim[];
  /** Takes back a claim of which nothing is sent. */
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
    announce: () => [],
    withdraw: () => undefined,
  };
}
