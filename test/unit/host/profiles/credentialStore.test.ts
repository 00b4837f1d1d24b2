import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { CredentialStore } from '../../../../src/host/profiles/credentialStore.ts';
import { markedCredentials } from '../../../support/exchangeClient.ts';
import { FakeSecrets } from '../../../support/fakeSecrets.ts';

const origin = 'https://host.example';
const key = 'marginDesk.credentials:Main';
const stored = { kind: 'stored', origin, credentials: markedCredentials };

describe('the credential store', () => {
  let secrets: FakeSecrets;
  let store: CredentialStore;
  const stores: CredentialStore[] = [];

  beforeEach(() => {
    secrets = new FakeSecrets();
    store = open();
  });
  afterEach(() => stores.splice(0).forEach((one) => one.dispose()));

  /** A store of another window, or of the next one. */
  function open(places = secrets.places()): CredentialStore {
    const opened = new CredentialStore(places);
    stores.push(opened);
    return opened;
  }

  function reportedChanges(): readonly string[] {
    const names: string[] = [];
    store.onDidChange((name) => names.push(name));
    return names;
  }

  /** Of these names, or of all. */
  const newlyMissing = (...names: string[]): Promise<readonly string[]> =>
    store.takeNewlyMissing((name) => names.length === 0 || names.includes(name));

  it('has none at first', async () => {
    assert.deepEqual(await store.read('Main'), { kind: 'none' });
    assert.deepEqual(await store.names(), []);
  });

  it('keeps one value per profile, bound to its origin, and otherwise only the name', async () => {
    assert.equal(await store.write('Main', origin, markedCredentials), true);
    assert.deepEqual([...secrets.values.keys()], [key]);
    const written: unknown = JSON.parse(secrets.values.get(key) ?? '');
    assert.deepEqual(written, { v: 1, origin, ...markedCredentials });
    assert.deepEqual([...secrets.state], [['marginDesk.credentialNames', ['Main']]]);
    assert.deepEqual(await store.read('Main'), stored);
  });

  describe('when VS Code does not keep a value', () => {
    beforeEach(async () => {
      secrets.keeps = false;
      await store.write('Main', origin, markedCredentials);
    });

    it('uses it in this window, with its origin, and writes it nowhere', async () => {
      assert.deepEqual(await store.read('Main'), stored);
      assert.deepEqual(await newlyMissing(), []);
      const written = JSON.stringify([[...secrets.state], [...secrets.values]]);
      assert.ok(!written.includes(markedCredentials.apiKey));
      const next = open();
      assert.deepEqual(await next.read('Main'), { kind: 'lost' });
    });

    it('prefers it to an older stored value', async () => {
      secrets.values.set(key, JSON.stringify({ v: 1, origin, apiKey: 'old', apiSecret: 'old' }));
      assert.deepEqual(await store.read('Main'), stored);
    });

    it('removes it with the profile, and moves it when the profile is renamed', async () => {
      assert.equal(await store.rename('Main', 'Second'), true);
      assert.deepEqual(await store.read('Main'), { kind: 'none' });
      assert.deepEqual(await store.read('Second'), stored);
      assert.deepEqual(await store.names(), ['Second']);
      await store.remove('Second');
      assert.deepEqual(await store.read('Second'), { kind: 'none' });
    });

    it('drops it when other credentials are stored, here or in another window', async () => {
      secrets.keeps = true;
      assert.equal(await store.write('Main', origin, { token: 'new' }), true);
      secrets.values.clear();
      assert.deepEqual(await store.read('Main'), { kind: 'lost' });
      secrets.keeps = false;
      await store.write('Main', origin, markedCredentials);
      secrets.keeps = true;
      const other = open();
      await other.write('Main', origin, { token: 'other' });
      await setImmediate();
      const read = await store.read('Main');
      assert.ok(read.kind === 'stored' && read.credentials.token === 'other');
    });

    it('does not mistake its own write for another window’s', async () => {
      const changed = reportedChanges();
      await store.write('Main', origin, { token: 'x' });
      await setImmediate();
      assert.deepEqual(changed, []);
    });
  });

  it('reports that a storage fails, without its message', async () => {
    const places = secrets.places();
    const refuses = () => Promise.reject(new Error('no keyring'));
    const refusing = open({
      ...places,
      secrets: { ...places.secrets, store: refuses, get: refuses },
    });
    assert.equal(await refusing.write('Main', origin, markedCredentials), false);
    assert.equal((await refusing.read('Main')).kind, 'stored');
    assert.deepEqual(await refusing.read('Other'), { kind: 'none' });
  });

  it('reports a lost value at the next start', async () => {
    await store.write('Main', origin, markedCredentials);
    secrets.values.clear();
    const next = open();
    assert.deepEqual(await next.read('Main'), { kind: 'lost' });
    assert.deepEqual(await next.read('Other'), { kind: 'none' });
  });

  it('reports a damaged value, and keeps it until credentials are stored again', async () => {
    for (const damaged of [
      ...['', 'null', '[]', '{"v":1,'],
      '{"v":2,"origin":"https://host.example","apiKey":"k"}',
      '{"v":1,"apiKey":"k"}',
      '{"v":1,"origin":"https://host.example","apiKey":7}',
    ]) {
      secrets.values.set(key, damaged);
      assert.deepEqual(await store.read('Main'), { kind: 'damaged' }, damaged);
      assert.equal(secrets.values.get(key), damaged);
    }
    await store.write('Main', origin, markedCredentials);
    assert.equal((await store.read('Main')).kind, 'stored');
  });

  it('removes value and marker', async () => {
    await store.write('Main', origin, markedCredentials);
    await store.remove('Main');
    assert.equal(secrets.values.size + secrets.state.size, 0);
    assert.deepEqual(await store.read('Main'), { kind: 'none' });
  });

  it('moves credentials when a profile is renamed, still bound to their origin', async () => {
    await store.write('Main', origin, markedCredentials);
    await store.rename('Main', 'Second');
    assert.deepEqual(await store.names(), ['Second']);
    assert.deepEqual(await store.read('Second'), stored);
  });

  describe('when a profile is renamed', () => {
    const second = 'marginDesk.credentials:Second';

    it('moves a value that it cannot parse unchanged', async () => {
      await store.write('Main', origin, markedCredentials);
      secrets.values.set(key, '{"v":2,"later":true}');
      assert.equal(await store.rename('Main', 'Second'), true);
      assert.deepEqual([...secrets.values], [[second, '{"v":2,"later":true}']]);
    });

    it('keeps the old value if VS Code does not keep it under the new name', async () => {
      await store.write('Main', origin, markedCredentials);
      const text = secrets.values.get(key);
      secrets.keeps = false;
      assert.equal(await store.rename('Main', 'Second'), false);
      assert.deepEqual([...secrets.values], [[key, text]]);
      assert.deepEqual(await store.names(), ['Main', 'Second']);
      assert.equal((await store.read('Second')).kind, 'stored');
    });

    it('keeps the value and its marker if VS Code does not return it', async () => {
      await store.write('Main', origin, markedCredentials);
      secrets.gives = false;
      assert.equal(await store.rename('Main', 'Second'), false);
      secrets.gives = true;
      assert.equal((await store.read('Main')).kind, 'stored');
      assert.deepEqual(await store.names(), ['Main']);
    });

    it('says that a lost value cannot be moved', async () => {
      await store.write('Main', origin, markedCredentials);
      secrets.values.clear();
      assert.equal(await store.rename('Main', 'Second'), false);
      assert.deepEqual(await store.read('Second'), { kind: 'none' });
      assert.deepEqual(await store.names(), ['Main']);
      assert.equal(await store.rename('None', 'Other'), true);
    });
  });

  it('names a missing value once, until it is stored again', async () => {
    for (const name of ['Main', 'Other', 'Kept'])
      await store.write(name, origin, markedCredentials);
    secrets.values.delete(key);
    secrets.values.delete('marginDesk.credentials:Other');
    assert.deepEqual(await newlyMissing('Main'), ['Main']);
    assert.deepEqual(await newlyMissing('Main', 'Other'), ['Other']);
    assert.deepEqual(await newlyMissing(), []);
    await store.write('Main', origin, markedCredentials);
    secrets.values.delete(key);
    assert.deepEqual(await newlyMissing('Main'), ['Main']);
    await store.remove('Main');
    assert.deepEqual([...secrets.state.keys()], ['marginDesk.credentialNames']);
  });

  it('lists stored and marked names, with keys() and without', async () => {
    await store.write('Main', origin, markedCredentials);
    secrets.values.set('marginDesk.credentials:Orphan', '{}');
    secrets.values.set('somethingElse', '{}');
    assert.deepEqual(await store.names(), ['Main', 'Orphan']);
    const older = open(secrets.places({ listsKeys: false }));
    assert.deepEqual(await older.names(), ['Main']);
  });

  it('reports changes of other windows, not its own', async () => {
    const changed = reportedChanges();
    await store.write('Main', origin, markedCredentials);
    await store.remove('Main');
    await setImmediate();
    assert.deepEqual(changed, []);
    const other = open();
    await other.write('Main', origin, { token: 'another' });
    await setImmediate();
    assert.deepEqual(changed, ['Main']);
    await other.write('Main', origin, { token: 'another' });
    await setImmediate();
    assert.deepEqual(changed, ['Main']);
    await other.remove('Main');
    await setImmediate();
    assert.deepEqual(changed, ['Main', 'Main']);
  });
});
