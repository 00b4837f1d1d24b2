import assert from 'node:assert/strict';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { verifyStatement } from '../../../../src/account/statement/verifyStatement.ts';
import { folderOfEachTest } from '../../../support/project.ts';
import { StatementWorld } from '../../../support/statementUnderTest.ts';
import { aTransaction } from '../../../support/builders.ts';

const january = { from: Date.UTC(2026, 0, 1), to: Date.UTC(2026, 1, 1) };
const read = [{ from: january.from - 40 * 86_400_000, to: january.to }];
const { signal } = new AbortController();

describe('the check of a statement', () => {
  const scratch = folderOfEachTest();
  let world: StatementWorld;
  let folder: string;

  beforeEach(async () => {
    const futureTransactions = [aTransaction({ time: String(january.from + 1) })];
    world = new StatementWorld(scratch.path, { records: { futureTransactions }, read });
    ({ folder } = await world.write('2026-01-15'));
  });

  it('finds nothing wrong in one as it was written, also under another name', async () => {
    const expected = { damaged: [], missing: [], others: [], files: 9, previous: 'none' };
    const { statement, ...found } = await verifyStatement(folder, signal);
    assert.deepEqual(found, expected);
    const { profile, month, zone, completeness } = statement ?? assert.fail('no manifest');
    assert.deepEqual([profile, month, zone, completeness], ['Main', '2026-01', 'UTC', 'complete']);
    const renamed = path.join(scratch.path, 'renamed');
    await rename(folder, renamed);
    assert.deepEqual((await verifyStatement(renamed, signal)).damaged, []);
  });

  it('finds one flipped bit at every place of every file', async () => {
    for (const name of await readdir(folder)) {
      const file = path.join(folder, name);
      const whole = await readFile(file);
      const step = Math.max(1, Math.floor(whole.length / 10));
      for (let at = 0; at < whole.length; at += step) {
        const flipped = Buffer.from(whole);
        flipped.writeUInt8(whole.readUInt8(at) ^ (1 << (at % 8)), at);
        await writeFile(file, flipped);
        const { damaged, missing } = await verifyStatement(folder, signal);
        assert.ok([...damaged, ...missing].includes(name), `${name} at ${at}: ${damaged.join()}`);
        const isList = name === 'manifest.json' || name === 'SHA256SUMS';
        if (!isList) assert.deepEqual(damaged, [name]);
      }
      await writeFile(file, whole);
    }
    assert.deepEqual((await verifyStatement(folder, signal)).damaged, []);
  }).timeout(60_000);

  it('finds a file that is cut, missing, or no part of it', async () => {
    const file = path.join(folder, 'journal.hledger');
    await writeFile(file, (await readFile(file)).subarray(0, -1));
    await rm(path.join(folder, 'trades.csv'));
    await writeFile(path.join(folder, 'note.txt'), '');
    const { damaged, missing, others } = await verifyStatement(folder, signal);
    assert.deepEqual(
      [damaged, missing, others],
      [['journal.hledger'], ['trades.csv'], ['note.txt']],
    );
  });

  for (const gone of ['manifest.json', 'SHA256SUMS'])
    it(`names ${gone} if it is missing, and checks the others`, async () => {
      await rm(path.join(folder, gone));
      await writeFile(path.join(folder, 'trades.csv'), 'x');
      const { damaged, missing } = await verifyStatement(folder, signal);
      assert.deepEqual(missing, [gone]);
      assert.ok(damaged.includes('trades.csv'));
    });

  it('compares the statement of the month before that lies beside', async () => {
    await rm(folder, { recursive: true });
    const before = await world.write('2025-12-20');
    ({ folder } = await world.write('2026-01-15'));
    const previous = async () => (await verifyStatement(folder, signal)).previous;
    assert.equal(await previous(), 'same');
    const manifest = path.join(before.folder, 'manifest.json');
    await writeFile(manifest, `${await readFile(manifest, 'utf8')} `);
    assert.equal(await previous(), 'different');
    await rm(before.folder, { recursive: true });
    assert.equal(await previous(), 'notBeside');
  });

  it('refuses a folder without a statement, and reads nothing outside of it', async () => {
    await assert.rejects(verifyStatement(scratch.path, signal), { name: 'UserFacingError' });
    const outside = '../secret';
    await writeFile(path.join(scratch.path, 'secret'), '');
    const sum = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
    await rm(path.join(folder, 'manifest.json'));
    await writeFile(path.join(folder, 'SHA256SUMS'), `${sum}  ${outside}\n`);
    const { damaged, files } = await verifyStatement(folder, signal);
    assert.deepEqual([damaged, files], [['SHA256SUMS'], 2]);
  });

  it('does not call a manifest of a newer version damaged', async () => {
    const manifest = path.join(folder, 'manifest.json');
    const text = (await readFile(manifest, 'utf8')).replace('"statement": 1', '"statement": 2');
    await writeFile(manifest, text);
    const sums = path.join(folder, 'SHA256SUMS');
    const lines = (await readFile(sums, 'utf8')).split('\n').slice(0, -2);
    const { createHash } = await import('node:crypto');
    const own = `${createHash('sha256').update(text).digest('hex')}  manifest.json`;
    await writeFile(sums, `${[...lines, own].join('\n')}\n`);
    const { damaged, statement } = await verifyStatement(folder, signal);
    assert.deepEqual([damaged, statement], [[], null]);
  });
});
