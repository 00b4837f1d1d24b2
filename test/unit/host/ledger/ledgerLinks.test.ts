import assert from 'node:assert/strict';
import { LedgerLinks } from '../../../../src/host/ledger/profileLedgers.ts';

describe('the ledgers of profiles', () => {
  const first = { profile: 'Main', id: 'one', fingerprint: 'a' };
  const second = { profile: 'Main', id: 'two', fingerprint: 'b' };

  function linksWith(stored?: unknown) {
    let value = stored;
    return new LedgerLinks({
      get: () => value,
      update: (_key, next) => {
        value = next && JSON.parse(JSON.stringify(next));
        return Promise.resolve();
      },
    });
  }

  it('are those of their profile only, newest first', async () => {
    const links = linksWith();
    await links.put(first);
    await links.put(second);
    assert.deepEqual(links.of('Main'), [second, first]);
    assert.deepEqual(links.of('Other'), []);
  });

  it('have one ledger for each account, and one account for each ledger', async () => {
    const links = linksWith();
    await links.put(first);
    await links.put({ ...first, fingerprint: 'b' });
    assert.deepEqual(links.of('Main'), [{ ...first, fingerprint: 'b' }]);
    await links.put(second);
    assert.deepEqual(links.of('Main'), [second]);
  });

  it('follow a rename, and end with their profile', async () => {
    const links = linksWith();
    await links.put(first);
    await links.put({ ...second, profile: 'Other' });
    await links.rename('Main', 'New');
    assert.deepEqual([links.of('Main'), links.of('New')], [[], [{ ...first, profile: 'New' }]]);
    await links.remove([{ profile: 'New', id: 'one' }]);
    await links.remove(links.of('Other'));
    assert.deepEqual([links.of('New'), links.of('Other')], [[], []]);
  });

  it('are none where something else is stored', () => {
    for (const stored of [null, 'x', [1], { Main: { id: 'one' } }])
      assert.deepEqual(linksWith(stored).of('Main'), []);
    assert.deepEqual(linksWith({}).of('constructor'), []);
  });
});
