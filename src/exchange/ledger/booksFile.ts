import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Clock } from '../../base/clock.ts';
import { emptyBooks, type Books } from './books.ts';
import { merged } from './mergedBooks.ts';
import { booksIn } from './booksSchema.ts';
import type { BooksStore } from './booksStore.ts';
import { bounded } from './booksTimes.ts';
import { Claims, withClaims, type Claim } from './claims.ts';
import { replaceFile } from './replaceFile.ts';

export type BooksFileOptions = {
  readonly folder: string;
  readonly name: string;
  readonly clock: Clock;
  /** Told when the file cannot be used and this process goes on with its own memory. */
  readonly onProblem: (error: unknown) => void;
};

const unreadableFreezeMs = 60_000;
const retryMs = 60_000;
/** For a file that another program holds for a moment, as a virus scanner may. */
const patienceMs = 300;
const pauseMs = 20;

/**
 * Books that all processes of one user share: a JSON file, replaced as a whole, and beside it the
 * claims that it does not hold yet. A file that cannot be understood counts as a minute in which
 * nothing more may go. One that cannot be read for a moment is what it was. While it cannot be changed,
 * this process keeps its own books, which say so; it tries again every minute, and brings along what it
 * booked.
 */
export class BooksFile implements BooksStore {
  private readonly options: BooksFileOptions;
  private readonly file: string;
  private readonly claims: Claims;
  /** The books of this process alone, since the file failed. */
  private own: Books | undefined;
  private retryAt = 0;
  /** What the file held when it was looked at last, so that the same text is not parsed again. */
  private text: string | undefined;
  private known: Books = emptyBooks;

  constructor(options: BooksFileOptions) {
    this.options = options;
    this.file = path.join(options.folder, options.name);
    this.claims = new Claims(`${this.file}.claims`);
  }

  read(): Books {
    return (
      this.own ??
      attempted(
        () => this.withAll(this.claims.all()),
        () => this.known,
      )
    );
  }

  async update(change: (books: Books) => Books): Promise<void> {
    try {
      if (!this.own || this.options.clock.now() >= this.retryAt) {
        await patiently(() =>
          this.replace((books) => change(this.own ? merged(books, this.own) : books)),
        );
        this.own = undefined;
        return;
      }
    } catch (error) {
      this.fail(error);
    }
    this.own = ownOf(change(this.own ?? this.known));
  }

  announce(claim: Claim): readonly Claim[] {
    if (this.own) return [];
    return attempted(
      () => {
        this.claims.add(claim);
        return this.claims.all();
      },
      () => [],
    );
  }

  withdraw(claim: Claim): void {
    attempted(
      () => this.claims.remove(claim),
      () => undefined,
    );
  }

  private async replace(change: (books: Books) => Books): Promise<void> {
    mkdirSync(this.options.folder, { recursive: true });
    let booked: readonly Claim[] = [];
    let [text, books] = ['', emptyBooks];
    await replaceFile(this.file, () => {
      booked = this.claims.all();
      books = change(this.withAll(booked));
      text = JSON.stringify(books);
      return text;
    });
    this.remember(text, books);
    for (const claim of booked) this.claims.remove(claim);
  }

  /** Claims are looked at before the file: one that is booked between is in one of both. */
  private withAll(claims: readonly Claim[]): Books {
    return withClaims(this.load(), claims);
  }

  private load(): Books {
    const text = textOf(this.file);
    if (text === undefined) return this.known;
    if (text !== this.text) {
      const now = this.options.clock.now();
      this.remember(text, bounded(booksIn(text) ?? this.unreadable(now), now));
    }
    return this.known;
  }

  private remember(text: string, books: Books): void {
    this.text = text;
    this.known = books;
  }

  private unreadable(now: number): Books {
    return { ...this.known, frozenUntil: now + unreadableFreezeMs };
  }

  private fail(error: unknown): void {
    const { clock, onProblem } = this.options;
    this.retryAt = clock.now() + retryMs;
    if (this.own) return;
    this.own = ownOf(this.known);
    onProblem(error);
  }
}

function ownOf(books: Books): Books {
  return { ...books, isOwn: true };
}

/** What `use` of the file gives, or `instead` where it fails: whoever changes the books finds out whether it lasts. */
function attempted<T>(use: () => T, instead: () => T): T {
  try {
    return use();
  } catch {
    return instead();
  }
}

async function patiently(use: () => Promise<void>): Promise<void> {
  const deadline = performance.now() + patienceMs;
  for (;;)
    try {
      await use();
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await setTimeout(pauseMs);
    }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
