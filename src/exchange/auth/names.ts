import { operations } from '../operations.ts';
import { recvWindowParam } from './scheme.ts';

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;

/** Headers that steer the connection or are set by others: a key in them would be lost or do harm. */
const takenHeaders: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'connection',
  'content-length',
  'cookie',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'set-cookie',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const takenParameters: ReadonlySet<string> = new Set([
  recvWindowParam,
  ...Object.values(operations).flatMap(({ parameters }) => Object.keys(parameters)),
]);

/** Whether a header of this name (RFC 9110, section 5.1) may carry an API key. */
export function canCarryKey(headerName: string): boolean {
  return token.test(headerName) && !takenHeaders.has(headerName.toLowerCase());
}

/** Whether a query parameter of this name may carry a timestamp or signature: no operation has it. */
export function isFreeParameter(name: string): boolean {
  return /^[\x21-\x7e]{1,100}$/.test(name) && !takenParameters.has(name);
}
