import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { ExchangeError, type Failure } from '../../src/exchange/exchangeError.ts';

/** A marked credential, or a signature in hex of 256 bits or more; a long run of digits is none. */
const credential = /MARKED|(?=\d*[a-f])[\da-f]{64}/;

/** How a call failed; fails itself when the call succeeds, or when the error tells a credential. */
export async function failureOf(call: Promise<unknown>): Promise<Failure> {
  return (await errorOf(call)).failure;
}

/** The error itself, on the same terms. */
export async function errorOf(call: Promise<unknown>): Promise<ExchangeError> {
  const error: unknown = await call.then(
    () => assert.fail('the call succeeded'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof ExchangeError, inspect(error));
  assert.doesNotMatch(inspect(error, { depth: 20, showHidden: true }), credential);
  return error;
}
