import { cleanText } from '../../base/cleanText.ts';
import { phrase } from '../../base/phrase.ts';
import type { ConnectionProblem, Failure } from '../exchangeError.ts';
import { NeverConnected } from './fetch.ts';

type ConnectionFailure = Pick<Failure, 'kind' | 'sent' | 'connection' | 'detail'>;

/** Thrown when a body grows beyond the cap. */
export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge';
  readonly maxBytes: number;

  constructor(maxBytes: number) {
    super(`more than ${maxBytes} bytes`);
    this.maxBytes = maxBytes;
  }
}

/** The failure of a request that threw: the size cap, invalid UTF-8, or a broken connection. */
export function connectionFailure(error: unknown): ConnectionFailure {
  if (error instanceof BodyTooLarge)
    return {
      kind: 'tooLarge',
      sent: 'yes',
      detail: phrase('{0} MB', error.maxBytes / 1024 / 1024),
    };
  const { code, syscall } = systemErrorIn(error);
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
    return { kind: 'malformed', sent: 'yes', detail: phrase('the answer is not UTF-8 text') };
  const isUnsent = error instanceof NeverConnected || wasNeverSent(code, syscall);
  const sent = isUnsent ? 'no' : 'maybe';
  const connection = connectionOf(code, sent);
  return { kind: 'network', sent, connection, detail: code ?? phrase('connection lost') };
}

/** Codes of connections that failed before a byte of the request was sent. */
const neverSentCode =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$|^(?:CERT_|DEPTH_ZERO_|ERR_TLS_CERT_|SELF_SIGNED_|UNABLE_TO_)/;
/** System calls that come before the first byte, whatever they fail with. */
const callsBeforeSending = new Set(['connect', 'getaddrinfo']);

/**
 * A request is one write that waits for the TLS handshake. If the handshake fails, for example because the
 * server does not use TLS, this write fails with `EPROTO` before it is encrypted. A later failure appears
 * while reading, with one of OpenSSL's own codes.
 */
function wasNeverSent(code = '', syscall = ''): boolean {
  const hasFailedHandshake = code === 'EPROTO' && syscall === 'write';
  return neverSentCode.test(code) || callsBeforeSending.has(syscall) || hasFailedHandshake;
}

/** OpenSSL's codes for untrusted certificates, and Node's for a failed handshake. */
const certificateCode =
  /^(?:CERT_|DEPTH_ZERO_|ERR_SSL_|ERR_TLS_|HOSTNAME_MISMATCH|INVALID_CA|SELF_SIGNED_|UNABLE_TO_)|^EPROTO$/;
const closedCodes = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

function connectionOf(code = '', sent: 'no' | 'maybe'): ConnectionProblem {
  if (certificateCode.test(code)) return 'certificate';
  if (sent === 'no') return 'unreachable';
  return closedCodes.has(code) ? 'closed' : 'lost';
}

type SystemErrorCode = { readonly code?: string; readonly syscall?: string | undefined };
type SystemError = NodeJS.ErrnoException & {
  /** What `node-fetch` calls `syscall`. */
  readonly erroredSysCall?: string;
};

/** The first error code along the chain of causes; messages are not read, they may carry headers. */
function systemErrorIn(error: unknown): SystemErrorCode {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    if (at instanceof AggregateError && at.errors[0] instanceof Error)
      return systemErrorIn(at.errors[0]);
    const { code, syscall, erroredSysCall } = at as SystemError;
    if (typeof code === 'string')
      return { code: cleanText(code, 60), syscall: syscall ?? erroredSysCall };
  }
  return {};
}
