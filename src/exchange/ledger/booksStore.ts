import { emptyBooks, type Books } from './books.ts';
import type { Claim } from './claims.ts';

/** The books without a claim, every other one included, and what claims weigh that no file holds yet. */
export type Others = { readonly books: Books; readonly claimed: number };

/** Where the books are kept. No member throws: books that cannot be kept are kept in memory. */
export type BooksStore = {
  /** The books as they are now, without waiting for anybody. */
  read(): Books;
  /** Changes them as one step that no other window can come between. `change` may be called again. */
  update(change: (books: Books) => Books): Promise<void>;
  /** Shows a claim to all windows at once, and says what else there is. */
  claim(claim: Claim): Others;
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
    claim: () => ({ books, claimed: 0 }),
    withdraw: () => undefined,
  };
}
