import type { AuthScheme } from '../../src/exchange/auth/scheme.ts';
import {
  createSigner,
  type SignedQuery,
  type UnsignedRequest,
} from '../../src/exchange/auth/signRequest.ts';
import type { Credentials } from '../../src/exchange/auth/credentials.ts';

/** One request, signed at `nowMs`. */
export function sign(
  auth: AuthScheme,
  credentials: Credentials,
  request: UnsignedRequest,
  nowMs: number,
): SignedQuery {
  return createSigner(auth, credentials)(request, nowMs);
}
