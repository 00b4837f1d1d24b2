import type { AuthScheme, Credentials } from '../../src/exchange/auth/scheme.ts';
import { signerOf, type SignedQuery, type UnsignedRequest } from '../../src/exchange/auth/sign.ts';

/** One request, signed at `nowMs`. */
export function sign(
  auth: AuthScheme,
  credentials: Credentials,
  request: UnsignedRequest,
  nowMs: number,
): SignedQuery {
  return signerOf(auth, credentials)(request, nowMs);
}
