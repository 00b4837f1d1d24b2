import assert from 'node:assert/strict';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
  closeSync,
} from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Trade } from '../../../src/exchange/records.ts';
import { recordJson } from '../../../src/ledger/storage/recordLines.ts';
import { aTrade } from '../../support/builders.ts';
import { eventually } from '../../support/eventually.ts';
import { killLedgerWriters } from '../../support/killedLedgers.ts';
import {
  aQuery,
  beginWalk,
  ledgerInThisThread,
  ledgerOf,
  ledgersOfEachTest,
} from '../../support/ledgerUnderTest.ts';

const tradesFrom = (first: number, count: number): Trade[] =>
  Array.from({ length: count }, (_none, index) => aTrade({ tradeId: String(first + index) }));

describe('the file of a ledger', () => {
  const under = ledgersOfEachTest();
  const fileIn = (): string => path.join(under.folder, 'one.sqlite');

  /** Another program changes the file. */
  const change = (sql: string): void => {
    const database = new DatabaseSync(fileIn());
    database.exec(sql);
    database.close();
  };
  const spoil = (file: string, at: number): void => {
    const descriptor = openSync(file, 'r+');
    writeSync(descriptor, Buffer.alloc(4096, 0xa5), 0, 4096, at);
    closeSync(descriptor);
  };

  it('loses and doubles no row if its writers are killed', async function () {
    this.timeout(120_000);
    await killLedgerWriters(fileIn(), 5);
  });

  it('is set aside if it is damaged, and the ledger starts again', async () => {
    const id = under.ledgers.create();
    const first = under.open(id);
    const walk = await beginWalk(first, 'trades');
    await first.saveStep(walk.id, tradesFrom(1, 2000), null);
    await first.close();
    const damaged = readFileSync(under.fileOf(id)).fill(0xa5, 0, 100);
    writeFileSync(under.fileOf(id), damaged);
    const second = under.open(id);
    await assert.rejects(second.rows(aQuery('trades'), 0, 1), { problem: 'damaged' });
    const [aside = ''] = under.setAside;
    assert.deepEqual(readFileSync(aside), damaged);
    assert.equal((await second.rows(aQuery('trades'), 0, 1)).total, 0);
    assert.equal(statSync(under.fileOf(id)).mode & 0o777, 0o600);
  });

  it('is checked after a window did not close it, while it is read, and set aside if it is damaged', async () => {
    const id = under.ledgers.create();
    const file = under.fileOf(id);
    ledgerOf(file, 'trades', tradesFrom(1, 5000)).close();
    const database = new DatabaseSync(file);
    database.exec("UPDATE state SET value = 1 WHERE name = 'isWriting'");
    database.close();
    // In the middle of the file are pages that neither the next call nor the next write reads.
    spoil(file, Math.floor(statSync(file).size / 2 / 4096) * 4096);
    const client = under.open(id);
    assert.ok(await client.claimWriting());
    const aside = await eventually('the damage is found', async () => {
      await client.coverage('trades');
      return under.setAside[0];
    });
    assert.ok(existsSync(aside));
    assert.equal((await client.rows(aQuery('trades'), 0, 1)).total, 0);
  });

  it('is refused if a newer version wrote it, and stays as it is', () => {
    ledgerOf(fileIn(), 'trades', tradesFrom(1, 1)).close();
    change('PRAGMA user_version = 99');
    const before = readFileSync(fileIn());
    const ledger = ledgerInThisThread({ file: fileIn() });
    const named = { problem: 'newer', message: 'newer', file: fileIn() };
    assert.throws(() => ledger.coverage('trades'), named);
    assert.throws(() => ledger.claimWriting(), named);
    ledger.close();
    assert.deepEqual(readFileSync(fileIn()), before);
  });

  it('stays as it is if a newer version wrote it, also its write-ahead log', () => {
    ledgerOf(fileIn(), 'trades', tradesFrom(1, 1)).close();
    change('PRAGMA journal_mode = WAL; PRAGMA user_version = 99');
    const [left, leftLog] = [`${fileIn()}.left`, `${fileIn()}.left-wal`];
    const writer = new DatabaseSync(fileIn());
    writer.exec('UPDATE trades SET walk = 2');
    copyFileSync(fileIn(), left);
    copyFileSync(`${fileIn()}-wal`, leftLog);
    writer.close();
    for (const file of [fileIn(), left]) {
      const bytes = (): readonly Buffer[] => [file, leftLog].map((one) => readFileSync(one));
      const before = bytes();
      const ledger = ledgerInThisThread({ file });
      assert.throws(() => ledger.coverage('trades'), { problem: 'newer', file });
      ledger.close();
      assert.deepEqual(bytes(), before);
    }
  });

  it('is set aside unread if it is no ledger, and a new ledger starts', () => {
    new DatabaseSync(fileIn()).exec('CREATE TABLE trades (x); PRAGMA application_id = 1');
    const before = readFileSync(fileIn());
    const setAside: string[] = [];
    const ledger = ledgerInThisThread({
      file: fileIn(),
      onSetAside: (aside) => setAside.push(aside),
    });
    assert.throws(() => ledger.coverage('trades'), { problem: 'damaged' });
    assert.deepEqual(ledger.coverage('trades'), []);
    const period = { from: 0, to: 4e12, asOf: 4e12 };
    const walk = ledger.beginWalk({ history: 'trades', ...period, purpose: 'download' });
    assert.equal(ledger.saveStep(walk.id, [recordJson(aTrade())], null).added, 1);
    ledger.close();
    assert.deepEqual(setAside, [`${fileIn()}.aside-1`]);
    assert.deepEqual(readFileSync(`${fileIn()}.aside-1`), before);
  });

  it('is refused as a backup, and stays as it is, if it is no ledger', () => {
    new DatabaseSync(fileIn()).exec('CREATE TABLE trades (x); PRAGMA application_id = 1');
    const before = readFileSync(fileIn());
    const ledger = ledgerInThisThread({ file: fileIn(), readOnly: true });
    assert.throws(() => ledger.coverage('trades'), { problem: 'notALedger' });
    ledger.close();
    assert.deepEqual(readFileSync(fileIn()), before);
  });

  it('keeps its rows if the disk is full, and continues when there is room', () => {
    const ledger = ledgerOf(fileIn(), 'trades', tradesFrom(1, 10));
    const [walk] = ledger.unfinishedWalks();
    assert.ok(walk);
    const save = () => ledger.saveStep(walk.id, tradesFrom(11, 5000).map(recordJson), 'after');
    const free = fillDisk(() => ledger.saveStep(walk.id, [], 'before'));
    assert.throws(save, { problem: 'full' });
    assert.equal(ledger.rows(aQuery('trades'), 0, 1).total, 10);
    assert.deepEqual(ledger.unfinishedWalks(), [{ ...walk, cursor: 'before' }]);
    free();
    assert.equal(save().added, 5000);
    ledger.close();
  });

  it('can be read in a folder that cannot be written, and says so to a writer', function () {
    if (process.platform === 'win32') this.skip();
    ledgerOf(fileIn(), 'trades', tradesFrom(1, 10)).close();
    rmSync(`${fileIn()}.lease`);
    withoutPermission(under.folder, fileIn(), () => {
      const ledger = ledgerInThisThread({ file: fileIn() });
      assert.equal(ledger.rows(aQuery('trades'), 0, 1).total, 10);
      assert.throws(() => ledger.claimWriting(), { problem: 'forbidden' });
      ledger.close();
    });
  });

  it('that is missing is not created', async () => {
    const id = under.ledgers.create();
    const client = under.open(id);
    await beginWalk(client, 'trades');
    under.ledgers.delete(id);
    await assert.rejects(client.coverage('trades'), { problem: 'missing' });
    await assert.rejects(beginWalk(client, 'trades'), { problem: 'missing' });
    assert.deepEqual(under.ledgers.ids(), []);
    assert.ok(!existsSync(under.fileOf(id)));
  });
});

/** SQLite's own limit of a file's size stands for a full disk. Returns how to free it. */
function fillDisk(use: () => void): () => void {
  const exec = Object.getOwnPropertyDescriptor(DatabaseSync.prototype, 'exec')
    ?.value as DatabaseSync['exec'];
  const databases = new Set<DatabaseSync>();
  DatabaseSync.prototype.exec = function (sql) {
    databases.add(this);
    exec.call(this, sql);
  };
  try {
    use();
  } finally {
    DatabaseSync.prototype.exec = exec;
  }
  for (const database of databases) database.exec('PRAGMA max_page_count = 1');
  return () => databases.forEach((database) => database.exec('PRAGMA max_page_count = 1000000'));
}

/** As a user who may only read the folder; permissions do not bind root. */
function withoutPermission(folder: string, file: string, work: () => void): void {
  const isRoot = process.getuid?.() === 0;
  chmodSync(file, 0o644);
  chmodSync(folder, 0o555);
  if (isRoot) process.seteuid?.(65_534);
  try {
    work();
  } finally {
    if (isRoot) process.seteuid?.(0);
    chmodSync(folder, 0o700);
  }
}
