import { createHash } from 'node:crypto';
import type { Credentials } from './scheme.ts';

/**
 * Which account credentials open at an address: a base URL, or an origin for what all accounts there
 * share. 32 hex digits of a hash, from which neither can be read.
 */
export function accountFingerprint(address: string, credentials: Credentials): string {
  const { apiKey, token, user } = credentials;
  const identity = JSON.stringify([address, apiKey ?? token ?? user ?? '']);
  return createHash('sha256').update(identity).digest('hex').slice(0, 32);
}
