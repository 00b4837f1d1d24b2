import { createHash } from 'node:crypto';
import type { Credentials } from '../auth/scheme.ts';

/** The file name of the books of one exchange and one key: a hash, from which neither can be read. */
export function booksName(origin: string, { apiKey, token }: Credentials): string {
  const identity = JSON.stringify([origin, apiKey ?? token ?? '']);
  return `ledger-${createHash('sha256').update(identity).digest('hex').slice(0, 32)}.json`;
}
