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

  describe('where VS Code does not keep what it was given', () => {
    const kept = { kind: 'kept', origin, credentials: markedCredentials };
    beforeEach(async () => {
      secrets.keeps = false;
      await store.write('Main', origin, markedCredentials);
    });

    it('serves it in this window, with its origin, and writes it nowhere', async () => {
      assert.deepEqual(await store.read('Main'), kept);
      assert.deepEqual(await store.missing(), []);
      const written = JSON.stringify([[...secrets.state], [...secrets.values]]);
      assert.ok(!written.includes(markedCredentials.apiKey));
      const next = new CredentialStore(secrets.places());
      assert.deepEqual(await next.read('Main'), { kind: 'lost' });
      next.dispose();
    });

    it('serves it before what was kept earlier', async () => {
      secrets.values.set(key, JSON.stringify({ v: 1, origin, apiKey: 'old', apiSecret: 'old' }));
      assert.deepEqual(await store.read('Main'), kept);
    });

    it('drops it when it is removed, and moves it when the profile is renamed', async () => {
      assert.equal(await store.rename('Main', 'Second'), true);
      assert.deepEqual(await store.read('Main'), { kind: 'none' });
      assert.deepEqual(await store.read('Second'), kept);
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
      const other = new CredentialStore(secrets.places());
      await other.write('Main', origin, { token: 'other' });
      other.dispose();
      await setImmediate();
      const read = await store.read('Main');
      assert.ok(read.kind === 'kept' && read.credentials.token === 'other');
    });

    it('does not take its own attempt for another window’s', async () => {
      const told: string[] = [];
      store.onDidChange((name) => told.push(name));
      await store.write('Main', origin, { token: 'x' });
      await setImmediate();
      assert.deepEqual(told, []);
    });
  });

  it('says when a storage refuses, without a word of what it said', async () => {
    const places = secrets.places();
    const refuses = () => Promise.reject(new Error('no keyring'));
    const refusing = new CredentialStore({
      ...places,
      secrets: { ...places.secrets, store: refuses, get: refuses },
    });
    assert.equal(await refusing.write('Main', origin, markedCredentials), false);
    assert.equal((await refusing.read('Main')).kind, 'kept');
    assert.deepEqual(await refusing.read('Other'), { kind: 'none' });
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

  describe('when a profile is renamed', () => {
    const second = 'marginDesk.credentials:Second';

    it('moves what it cannot read as it is', async () => {
      await store.write('Main', origin, markedCredentials);
      secrets.values.set(key, '{"v":2,"later":true}');
      assert.equal(await store.rename('Main', 'Second'), true);
      assert.deepEqual([...secrets.values], [[second, '{"v":2,"later":true}']]);
    });

    it('leaves the value where it is when VS Code does not keep it under the new name', async () => {
      await store.write('Main', origin, markedCredentials);
      const text = secrets.values.get(key);
      secrets.keeps = false;
      assert.equal(await store.rename('Main', 'Second'), false);
      assert.deepEqual([...secrets.values], [[key, text]]);
      assert.deepEqual(await store.names(), ['Main', 'Second']);
      assert.equal((await store.read('Second')).kind, 'kept');
    });

    it('leaves the value and its marker where they are when VS Code does not give it', async () => {
      await store.write('Main', origin, markedCredentials);
      secrets.gives = false;
      assert.equal(await store.rename('Main', 'Second'), false);
      secrets.gives = true;
      assert.equal((await store.read('Main')).kind, 'kept');
      assert.deepEqual(await store.names(), ['Main']);
    });

    it('moves the marker of what was lost, and that it was told', async () => {
      await store.write('Main', origin, markedCredentials);
      secrets.values.clear();
      await store.tell(['Main']);
      assert.equal(await store.rename('Main', 'Second'), true);
      assert.deepEqual(await store.read('Main'), { kind: 'none' });
      assert.deepEqual(await store.read('Second'), { kind: 'lost' });
      assert.deepEqual(await store.missing(), [{ name: 'Second', told: true }]);
    });

    it('does nothing where there is nothing', async () => {
      assert.equal(await store.rename('Main', 'Second'), true);
      assert.equal(secrets.values.size + secrets.state.size, 0);
    });
  });

  it('names what is missing and whether that is news, until it is stored again', async () => {
    for (const name of ['Main', 'Other', 'Kept'])
      await store.write(name, origin, markedCredentials);
    secrets.values.delete(key);
    secrets.values.delete('marginDesk.credentials:Other');
    await store.tell(['Main']);
    assert.deepEqual(await store.missing(), [
      { name: 'Main', told: true },
      { name: 'Other', told: false },
    ]);
    await store.write('Main', origin, markedCredentials);
    secrets.values.delete(key);
    assert.deepEqual((await store.missing()).at(-1), { name: 'Main', told: false });
    await store.tell(['Main']);
    await store.remove('Main');
    assert.deepEqual([...secrets.state.keys()], ['marginDesk.credentialNames']);
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
