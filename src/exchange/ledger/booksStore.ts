import { emptyBooks, type Books } from './books.ts';

/** Where the books are kept. Neither member throws: books that cannot be kept are kept in memory. */
export type BooksStore = {
  /** The books as they are now, without waiting for anybody. */
  read(): Books;
  /** Changes them as one step that no other window can come between. `change` may be called again. */
  update(change: (books: Books) => Books): Promise<void>;
};

/** Books of one process only. */
export function booksInMemory(start: Partial<Books> = {}): BooksStore {
  let books: Books = { ...emptyBooks, ...start };
  return {
    read: () => books,
    update: (change) => {
      books = change(books);
      return Promise.resolve();
    },
  };
}
