import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { LedgerClient } from '../../../src/ledger/ledgerClient.ts';
import { Ledgers } from '../../../src/ledger/ledgers.ts';
import { aTrade } from '../../support/builders.ts';
import {
  aQuery,
  beginWalk,
  ledgersOfEachTest,
  ledgerWorkerFile,
} from '../../support/ledgerUnderTest.ts';

const everything = { from: 0, to: 4e12 };

/** A thread in which a file is made and removed, over and over. */
const comingAndGoing = `
  const { rmSync, writeFileSync } = require('node:fs');
  const { parentPort, workerData: file } = require('node:worker_threads');
  parentPort.postMessage('ready');
  for (;;) {
    writeFileSync(file, '');
    rmSync(file, { force: true });
  }`;

describe('the windows of a ledger', () => {
  const under = ledgersOfEachTest();

  it('write one at a time, and all read', async () => {
    const id = under.ledgers.create();
    const [first, second] = [under.open(id), under.open(id)];
    assert.equal(await first.claimWriting(), true);
    assert.equal(await second.claimWriting(), false);
    const walk = await beginWalk(first, 'trades');
    await first.saveStep(walk.id, [aTrade()], null);
    await assert.rejects(second.saveStep(walk.id, [], null), { problem: 'otherWriter' });
    assert.deepEqual(await second.recordsIn('trades', everything, 10), [aTrade()]);
    await first.releaseWriting();
    assert.equal(await second.claimWriting(), true);
    await assert.rejects(beginWalk(first, 'trades'), { problem: 'otherWriter' });
    await second.close();
    assert.equal(await first.claimWriting(), true);
  });

  it('get a backup that another machine can restore', async () => {
    const client = under.open(under.ledgers.create());
    const walk = await beginWalk(client, 'trades');
    await client.saveStep(walk.id, [aTrade()], { page: 1 });
    const backup = path.join(under.folder, 'backup');
    writeFileSync(backup, 'an older backup');
    writeFileSync(`${backup}.draft`, 'a file of somebody else');
    await client.backUp(backup);
    assert.equal(readFileSync(`${backup}.draft`, 'utf8'), 'a file of somebody else');
    await client.saveStep(walk.id, [aTrade({ tradeId: '1' })], { page: 2 });
    const bytes = readFileSync(backup);
    const restored = under.open(await under.ledgers.restore(backup));
    assert.deepEqual(await restored.recordsIn('trades', everything, 10), [aTrade()]);
    assert.deepEqual(await restored.unfinishedWalks(), [{ ...walk, cursor: { page: 1 } }]);
    assert.deepEqual(readFileSync(backup), bytes);
    assert.equal(under.ledgers.ids().length, 2);
  });

  it('keep what was set aside when a backup replaces the ledger', () => {
    const id = under.ledgers.create();
    const by = under.ledgers.create();
    const aside = ['.aside-1', '.aside-1-journal', '.aside-2'];
    for (const ending of ['-journal', ...aside]) writeFileSync(under.fileOf(id) + ending, ending);
    under.ledgers.replace(id, by);
    const files = readdirSync(under.folder).toSorted();
    assert.deepEqual(
      files,
      ['', ...aside].map((ending) => path.basename(under.fileOf(by)) + ending),
    );
    under.ledgers.delete(by);
    assert.deepEqual(readdirSync(under.folder), []);
  });

  it('refuse to restore a file that is not a ledger, and leave no trace of it', async () => {
    const file = path.join(under.folder, 'picture');
    writeFileSync(file, 'x'.repeat(10_000));
    await assert.rejects(under.ledgers.restore(file), { problem: 'damaged' });
    assert.ok(readFileSync(file, 'utf8') === 'x'.repeat(10_000));
    assert.deepEqual(under.ledgers.ids(), []);
    await assert.rejects(under.ledgers.restore(path.join(under.folder, 'none')), {
      problem: 'missing',
    });
  });

  it('delete a ledger although another one removes its journal meanwhile', async () => {
    const id = under.ledgers.create();
    const journal = path.join(under.folder, `${id}.sqlite.lease-journal`);
    const other = new Worker(comingAndGoing, { eval: true, workerData: journal });
    await once(other, 'message');
    try {
      for (let times = 0; times < 10_000; times += 1) under.ledgers.delete(id);
    } finally {
      await other.terminate();
    }
    assert.equal(under.ledgers.exists(id), false);
  });

  it('find ledgers, and delete one with what was set aside of it', async () => {
    const ids = [under.ledgers.create(), under.ledgers.create()];
    assert.deepEqual([...under.ledgers.ids()].sort(), ids.toSorted());
    const [id = ''] = ids;
    await under.open(id).claimWriting();
    writeFileSync(`${under.fileOf(id)}.aside-1`, '');
    under.ledgers.delete(id);
    assert.deepEqual(under.ledgers.ids(), ids.slice(1));
    assert.ok(!existsSync(`${under.fileOf(id)}.aside-1`));
    assert.equal(under.ledgers.exists(id), false);
  });

  it('delete what is damaged, and nothing that a newer version wrote', async () => {
    const [newer, damaged] = [under.ledgers.create(), under.ledgers.create()];
    await under.open(newer).claimWriting();
    const database = new DatabaseSync(under.fileOf(newer));
    database.exec('PRAGMA user_version = 99');
    database.close();
    writeFileSync(under.fileOf(damaged), 'x'.repeat(10_000));
    const before = readdirSync(under.folder);
    await assert.rejects(under.ledgers.deleteUnlessNewer(newer), {
      problem: 'newer',
      file: under.fileOf(newer),
    });
    assert.deepEqual(readdirSync(under.folder), before);
    await under.ledgers.deleteUnlessNewer(damaged);
    assert.deepEqual(under.ledgers.ids(), [newer]);
    assert.deepEqual(under.setAside, []);
  });

  it('have SQLite', () => {
    assert.equal(Ledgers.isSupported(), true);
  });
});

describe('the worker of a ledger', () => {
  const under = ledgersOfEachTest();

  it('answers calls in their order, however many records they have', async () => {
    const client = under.open(under.ledgers.create());
    const walk = await beginWalk(client, 'trades');
    const records = Array.from({ length: 5000 }, (_none, index) => aTrade({ tradeId: `${index}` }));
    const answers = [
      client.saveStep(walk.id, records, { page: 1 }).then(() => 'saved'),
      client.dropWalk(walk.id).then(() => 'dropped'),
      client.saveStep(walk.id, records, { page: 2 }).catch(() => 'refused'),
    ];
    assert.deepEqual(await Promise.all(answers), ['saved', 'dropped', 'refused']);
    assert.equal((await client.rows(aQuery('trades'), 0, 1)).total, 5000);
  });

  it('rejects what waits when it ends, and starts again with the next call', async () => {
    const file = path.join(under.folder, 'worker.mjs');
    // A worker that ends when the test says so, and otherwise is the ledger's.
    const endFile = path.join(under.folder, 'end');
    writeFileSync(
      file,
      `import { existsSync } from 'node:fs';
       import { parentPort } from 'node:worker_threads';
       parentPort.on('message', () => existsSync(${JSON.stringify(endFile)}) && process.exit(1));
       await import(${JSON.stringify(`file://${ledgerWorkerFile}`)});`,
    );
    const id = under.ledgers.create();
    const client = new LedgerClient({ workerFile: file, file: under.fileOf(id) });
    try {
      const walk = await beginWalk(client, 'trades');
      writeFileSync(endFile, '');
      const waiting = [client.unfinishedWalks(), client.coverage('trades')];
      for (const each of waiting) await assert.rejects(each, { problem: 'ended' });
      rmSync(endFile);
      assert.deepEqual(await client.unfinishedWalks(), [walk]);
    } finally {
      await client.close();
    }
    await assert.rejects(client.unfinishedWalks(), { problem: 'ended' });
  });

  it('is not started again if it ended without an answer', async () => {
    const file = path.join(under.folder, 'worker.mjs');
    writeFileSync(file, 'process.exit(1)');
    const client = new LedgerClient({ workerFile: file, file: 'none' });
    try {
      await assert.rejects(client.coverage('trades'), { problem: 'ended' });
      writeFileSync(file, `await import(${JSON.stringify(`file://${ledgerWorkerFile}`)});`);
      await assert.rejects(client.coverage('trades'), { problem: 'ended' });
    } finally {
      await client.close();
    }
  });
});
