import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { ExchangeError, type Failure } from '../../src/exchange/errors.ts';

/** How a call failed; fails itself when the call succeeds, or when the error tells a credential. */
export async function failureOf(call: Promise<unknown>): Promise<Failure> {
  const error: unknown = await call.then(
    () => assert.fail('the call succeeded'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof ExchangeError, inspect(error));
  assert.doesNotMatch(inspect(error, { depth: 20, showHidden: true }), /MARKED|[0-9a-f]{64}/);
  return error.failure;
}
