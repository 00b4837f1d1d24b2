import { closeSync, mkdirSync, openSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { operations, type OperationName } from '../operations.ts';
import { reserve, type Books, type Spending } from './books.ts';

/** A request that was let go before the books could be changed. */
export type Claim = { readonly spending: Spending; readonly sentAt: number };

/**
 * Claims that all processes see at once, without a lock: each is an empty file whose name says all.
 * Whoever writes a claim first and then looks at the others' knows of every one that came before.
 */
export class Claims {
  private readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  add(claim: Claim): void {
    mkdirSync(this.folder, { recursive: true });
    closeSync(openSync(path.join(this.folder, nameOf(claim)), 'w', 0o600));
  }

  remove(claim: Claim): void {
    rmSync(path.join(this.folder, nameOf(claim)), { force: true });
  }

  all(): readonly Claim[] {
    return namesIn(this.folder).flatMap((name) => claimIn(name) ?? []);
  }
}

/** The books with claims booked that they do not hold yet. */
export function withClaims(books: Books, claims: readonly Claim[]): Books {
  const booked = new Set(books.entries.map(({ id }) => id));
  return claims
    .filter(({ spending }) => !booked.has(spending.id))
    .reduce((all, { spending, sentAt }) => reserve(all, spending, sentAt), books);
}

function nameOf({ spending: { id, weight, operation, longestMs }, sentAt }: Claim): string {
  return [sentAt, longestMs, weight, operation, id].join('_');
}

const namePattern = /^(\d{1,16})_(\d{1,9})_(\d{1,9})_([A-Za-z]{1,40})_([0-9a-f-]{36})$/;

function claimIn(name: string): Claim | undefined {
  const [, sentAt, longestMs, weight, operation = '', id = ''] = namePattern.exec(name) ?? [];
  if (!isOperation(operation)) return undefined;
  const spending = { id, weight: Number(weight), operation, longestMs: Number(longestMs) };
  return { spending, sentAt: Number(sentAt) };
}

function isOperation(name: string): name is OperationName {
  return Object.hasOwn(operations, name);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}
