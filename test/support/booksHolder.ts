import { writeSync } from 'node:fs';
import { systemClock } from '../../src/base/clock.ts';
import { BooksFile } from '../../src/exchange/ledger/booksFile.ts';

/** A process that begins to change the books in a folder and never ends with it. */
const [, , folder = ''] = process.argv;
const onProblem = (error: unknown): never => {
  throw error;
};
const store = new BooksFile({ folder, name: 'books.json', clock: systemClock, onProblem });
await store.update((books) => {
  writeSync(1, 'holds\n');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  return books;
});
