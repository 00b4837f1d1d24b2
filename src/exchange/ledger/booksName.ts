import { accountFingerprint } from '../auth/fingerprint.ts';
import type { Credentials } from '../auth/scheme.ts';

/** The file name of the books of one exchange and one key: a hash, from which neither can be read. */
export function booksName(origin: string, credentials: Credentials): string {
  return `ledger-${accountFingerprint(origin, credentials)}.json`;
}
