import assert from 'node:assert/strict';
import { originOf } from '../../../../src/account/session/profile.ts';
import { accountFingerprint } from '../../../../src/exchange/auth/credentials.ts';
import { rateLimitFileName } from '../../../../src/exchange/rateLimit/rateLimitStore.ts';
import { markedCredentials } from '../../../support/exchangeClient.ts';
import { signedSession } from '../../../support/signedSession.ts';

describe('an open account', () => {
  const at = (url: string) => {
    const session = signedSession({ url }, { readOnly: true });
    session.dispose();
    return session;
  };

  it('is another one at another base URL of the same host, whose limits they share', () => {
    const [one, other] = [at('https://gateway.example/a'), at('https://gateway.example/b')];
    assert.notEqual(one.fingerprint, other.fingerprint);
    const [oneFile, otherFile] = [one, other].map(({ profile }) =>
      rateLimitFileName(originOf(profile), markedCredentials),
    );
    assert.equal(oneFile, otherFile);
  });

  it('is the same with or without a final slash of the base URL', () => {
    const { fingerprint } = at('https://host.example/a');
    assert.equal(at('https://host.example/a/').fingerprint, fingerprint);
    const origin = 'https://host.example';
    assert.equal(at(origin).fingerprint, accountFingerprint(origin, markedCredentials));
  });
});
