import { createHash } from 'node:crypto';
import type { Credentials } from './scheme.ts';

/** Which account of which exchange credentials open: 32 hex digits of a hash, from which neither can be read. */
export function accountFingerprint(origin: string, credentials: Credentials): string {
  const { apiKey, token, user } = credentials;
  const identity = JSON.stringify([origin, apiKey ?? token ?? user ?? '']);
  return createHash('sha256').update(identity).digest('hex').slice(0, 32);
}
