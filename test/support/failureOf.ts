import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { ExchangeError, type Failure } from '../../src/exchange/errors.ts';

/** A marked credential, or a signature in hex. */
const credential = /MARKED|\b(?=\d*[a-f])[\da-f]{64}\b/;

/** How a call failed; fails itself when the call succeeds, or when the error tells a credential. */
export async function failureOf(call: Promise<unknown>): Promise<Failure> {
  const error: unknown = await call.then(
    () => assert.fail('the call succeeded'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof ExchangeError, inspect(error));
  assert.doesNotMatch(inspect(error, { depth: 20, showHidden: true }), credential);
  return error.failure;
}
