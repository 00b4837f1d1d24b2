import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { CredentialStore } from '../../../src/host/profiles/credentialStore.ts';
import { markedCredentials } from '../../support/exchangeClient.ts';
import { FakeSecrets } from '../../support/fakeSecrets.ts';

const origin = 'https://host.example';
const key = 'marginDesk.credentials:Main';

describe('the credential store', () => {
  let secrets: FakeSecrets;
  let store: CredentialStore;

  beforeEach(() => {
    secrets = new FakeSecrets();
    store = new CredentialStore(secrets.places());
  });
  afterEach(() => store.dispose());

  it('has none at first', async () => {
    assert.deepEqual(await store.read('Main'), { kind: 'none' });
    assert.deepEqual(await store.names(), []);
  });

  it('keeps one value a profile, bound to its origin, and only a name beside it', async () => {
    assert.equal(await store.write('Main', origin, markedCredentials), true);
    assert.deepEqual([...secrets.values.keys()], [key]);
    assert.deepEqual(JSON.parse(secrets.values.get(key) ?? ''), {
      v: 1,
      origin,
      ...markedCredentials,
    });
    assert.deepEqual([...secrets.state], [['marginDesk.credentialNames', ['Main']]]);
    assert.deepEqual(await store.read('Main'), {
      kind: 'kept',
      origin,
      credentials: markedCredentials,
    });
  });

  it('says when VS Code does not keep what it was given', async () => {
    secrets.keeps = false;
    assert.equal(await store.write('Main', origin, markedCredentials), false);
  });

  it('says when a storage refuses, without a word of what it said', async () => {
    const places = secrets.places();
    const refuses = () => Promise.reject(new Error('no keyring'));
    const refusing = new CredentialStore({
      ...places,
      secrets: { ...places.secrets, store: refuses, get: refuses },
    });
    assert.equal(await refusing.write('Main', origin, markedCredentials), false);
    assert.deepEqual(await refusing.read('Main'), { kind: 'lost' });
    refusing.dispose();
  });

  it('misses at the next start what VS Code did not keep', async () => {
    await store.write('Main', origin, markedCredentials);
    secrets.values.clear();
    const next = new CredentialStore(secrets.places());
    assert.deepEqual(await next.read('Main'), { kind: 'lost' });
    assert.deepEqual(await next.read('Other'), { kind: 'none' });
    next.dispose();
  });

  for (const damaged of [
    '',
    'null',
    '[]',
    '{"v":2,"origin":"https://host.example","apiKey":"k"}',
    '{"v":1,"apiKey":"k"}',
    '{"v":1,"origin":"https://host.example","apiKey":7}',
    '{"v":1,',
  ]) {
    it(`calls a value damaged and leaves it alone: ${damaged}`, async () => {
      secrets.values.set(key, damaged);
      assert.deepEqual(await store.read('Main'), { kind: 'damaged' });
      assert.equal(secrets.values.get(key), damaged);
      await store.write('Main', origin, markedCredentials);
      assert.equal((await store.read('Main')).kind, 'kept');
    });
  }

  it('removes value and marker', async () => {
    await store.write('Main', origin, markedCredentials);
    await store.remove('Main');
    assert.equal(secrets.values.size + secrets.state.size, 0);
    assert.deepEqual(await store.read('Main'), { kind: 'none' });
  });

  it('takes credentials along when a profile is renamed, still bound to their origin', async () => {
    await store.write('Main', origin, markedCredentials);
    await store.rename('Main', 'Second');
    assert.deepEqual(await store.names(), ['Second']);
    assert.deepEqual(await store.read('Second'), {
      kind: 'kept',
      origin,
      credentials: markedCredentials,
    });
  });

  it('names what is kept and what is only marked, with keys() and without', async () => {
    await store.write('Main', origin, markedCredentials);
    secrets.values.set('marginDesk.credentials:Orphan', '{}');
    secrets.values.set('somethingElse', '{}');
    assert.deepEqual(await store.names(), ['Main', 'Orphan']);
    const older = new CredentialStore(secrets.places({ listsKeys: false }));
    assert.deepEqual(await older.names(), ['Main']);
    older.dispose();
  });

  it('survives a marker of another shape', async () => {
    secrets.state.set('marginDesk.credentialNames', 'Main');
    assert.deepEqual(await store.read('Main'), { kind: 'none' });
    assert.equal(await store.write('Main', origin, markedCredentials), true);
  });

  it('tells of another window’s changes, and not of its own', async () => {
    const told: string[] = [];
    store.onDidChange((name) => told.push(name));
    await store.write('Main', origin, markedCredentials);
    await store.remove('Main');
    await setImmediate();
    assert.deepEqual(told, []);
    const other = new CredentialStore(secrets.places());
    await other.write('Main', origin, { token: 'another' });
    await setImmediate();
    assert.deepEqual(told, ['Main']);
    await other.write('Main', origin, { token: 'another' });
    await setImmediate();
    assert.deepEqual(told, ['Main']);
    await other.remove('Main');
    await setImmediate();
    assert.deepEqual(told, ['Main', 'Main']);
    other.dispose();
  });
});
