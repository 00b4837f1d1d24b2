import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';
import type { Clock } from '../../base/clock.ts';
import { emptyBooks, type Books } from './books.ts';
import type { BooksStore } from './booksStore.ts';
import { withFileLock } from './fileLock.ts';

export type BooksFileOptions = {
  readonly folder: string;
  readonly name: string;
  readonly clock: Clock;
  /** Told once, when the file cannot be used and this process goes on with its own memory. */
  readonly onProblem: (error: unknown) => void;
};

const time = v.pipe(v.number(), v.finite());
const positive = v.pipe(v.number(), v.finite(), v.minValue(0));
const booksSchema = v.object({
  entries: v.array(
    v.object({ id: v.string(), weight: positive, endsAt: time, isForeign: v.boolean() }),
  ),
  limits: v.nullable(v.array(v.object({ weight: positive, windowMs: positive }))),
  learnedAt: time,
  lastSentAt: time,
  frozenUntil: time,
  passed: v.array(v.string()),
  bulkSpentAt: time,
});

const unreadableFreezeMs = 60_000;

/**
 * Books that all processes of one user share: a JSON file, replaced as a whole under a lock. A file
 * that cannot be understood counts as a minute in which nothing more may go.
 */
export class BooksFile implements BooksStore {
  private readonly options: BooksFileOptions;
  private readonly file: string;
  /** Set once the file has failed: from then on the books of this process alone. */
  private own: Books | undefined;
  /** What the file held when it was looked at last, so that the same text is not parsed again. */
  private text: string | undefined;
  private known: Books = emptyBooks;

  constructor(options: BooksFileOptions) {
    this.options = options;
    this.file = path.join(options.folder, options.name);
  }

  read(): Books {
    if (this.own) return this.own;
    try {
      return this.load();
    } catch (error) {
      return this.fail(error);
    }
  }

  async update(change: (books: Books) => Books): Promise<void> {
    try {
      while (!this.own && !(await this.replace(change)));
    } catch (error) {
      this.fail(error);
    }
    if (this.own) this.own = change(this.own);
  }

  /** False when the lock was lost before the new books stood. */
  private replace(change: (books: Books) => Books): Promise<boolean> {
    mkdirSync(this.options.folder, { recursive: true });
    return withFileLock(`${this.file}.lock`, (isOurs) => {
      const next = change(this.load());
      const text = JSON.stringify(next);
      const draft = `${this.file}.${process.pid}`;
      writeFileSync(draft, text, { mode: 0o600 });
      if (!isOurs()) return false;
      renameSync(draft, this.file);
      this.remember(text, next);
      return true;
    });
  }

  private load(): Books {
    const text = textOf(this.file);
    if (text === undefined) return emptyBooks;
    if (text !== this.text) this.remember(text, booksIn(text) ?? this.unreadable());
    return this.known;
  }

  private remember(text: string, books: Books): void {
    this.text = text;
    this.known = books;
  }

  private unreadable(): Books {
    return { ...emptyBooks, frozenUntil: this.options.clock.now() + unreadableFreezeMs };
  }

  private fail(error: unknown): Books {
    this.own ??= this.known;
    this.options.onProblem(error);
    return this.own;
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

function booksIn(text: string): Books | undefined {
  try {
    const parsed = v.safeParse(booksSchema, JSON.parse(text));
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}
