import assert from 'node:assert/strict';
import { CredentialStore } from '../../../../src/host/profiles/credentialStore.ts';
import { requireCredentials } from '../../../../src/host/profiles/credentials.ts';
import { markedCredentials } from '../../../support/exchangeClient.ts';
import { FakeSecrets } from '../../../support/fakeSecrets.ts';
import { someProfile } from '../../../support/testExporter.ts';

describe('the credentials of a profile', () => {
  const store = new CredentialStore(new FakeSecrets().places());
  const of = (baseUrl: string) => requireCredentials({ ...someProfile, baseUrl }, store);
  before(() => store.write(someProfile.name, 'https://exchange.example', markedCredentials));
  after(() => store.dispose());

  it('are used for every path of the origin that they were entered for', async () => {
    for (const path of ['', '/', '/prefix'])
      assert.deepEqual(await of(`https://exchange.example${path}`), markedCredentials);
  });

  for (const other of [
    'http://exchange.example',
    'https://exchange.example:8443',
    'https://exchange.example.evil.example',
    'https://api.exchange.example',
    'https://exchange.exampl',
  ])
    it(`are asked for again at ${other}`, async () => {
      const problem = { kind: 'otherOrigin', enteredFor: 'https://exchange.example' };
      await assert.rejects(of(other), { problem });
    });
});
