import assert from 'node:assert/strict';
import { originOf } from '../../../src/account/profile.ts';
import { accountFingerprint } from '../../../src/exchange/auth/fingerprint.ts';
import { booksName } from '../../../src/exchange/ledger/booksName.ts';
import { markedCredentials } from '../../support/exchangeClient.ts';
import { signedSession } from '../../support/signedSession.ts';

describe('an open account', () => {
  const at = (url: string) => {
    const session = signedSession({ url }, { readOnly: true });
    session.dispose();
    return session;
  };

  it('is another one at another base URL of the same host, whose limits they share', () => {
    const [one, other] = [at('https://gateway.example/a'), at('https://gateway.example/b')];
    assert.notEqual(one.fingerprint, other.fingerprint);
    const [books, others] = [one, other].map(({ profile }) =>
      booksName(originOf(profile), markedCredentials),
    );
    assert.equal(books, others);
  });

  it('is the same one however its base URL ends, and where that is an origin, by the origin', () => {
    const { fingerprint } = at('https://host.example/a');
    assert.equal(at('https://host.example/a/').fingerprint, fingerprint);
    const origin = 'https://host.example';
    assert.equal(at(origin).fingerprint, accountFingerprint(origin, markedCredentials));
  });
});
