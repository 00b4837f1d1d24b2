import assert from 'node:assert/strict';
import { clientKey } from '../../src/exchange/client.ts';
import type { AccountSession } from '../../src/account/session/accountSession.ts';
import { eventually } from '../support/eventually.ts';
import { serversOfEachTest, type HostileServer } from '../support/hostileServer.ts';
import { signedSession } from '../support/signedSession.ts';
import { uncaughtErrors } from '../support/uncaughtErrors.ts';
import { cancelAllOf } from '../support/exchangeClient.ts';

const bug = new TypeError('a view failed');
const fail = (): never => {
  throw bug;
};

/** An open account, all of whose lookers-on fail. */
function sessionOf(server: HostileServer): AccountSession {
  const session = signedSession(server, { readOnly: false, onRequest: fail });
  session.onDidChange(fail);
  return session;
}

describe('listeners that throw', () => {
  const serve = serversOfEachTest();
  const uncaught = uncaughtErrors();

  it('do not replace the result of a cancel-all, and their errors are reported', async () => {
    const session = sessionOf(await serve((_request, response) => response.end('[]')));
    assert.deepEqual(await cancelAllOf(session[clientKey]), { value: [], badRecords: [] });
    await eventually('the error', () => uncaught.length > 0);
    assert.deepEqual(uncaught, [bug]);
    session.dispose();
  });
});
