import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Receipt } from '../../../../src/account/cancelAll/receipts.ts';
import { maxReceipts, ReceiptFiles } from '../../../../src/host/cancelAll/receiptFiles.ts';
import { cancelAllUnderTest } from '../../../support/cancelAllUnderTest.ts';
import { folderOfEachTest } from '../../../support/project.ts';

describe('the receipt folder', () => {
  let folder: string;
  const scratch = folderOfEachTest();
  let files: ReceiptFiles;
  let receipt: Receipt;

  beforeEach(async () => {
    folder = path.join(scratch.path, 'receipts');
    files = new ReceiptFiles(folder);
    const test = cancelAllUnderTest();
    await test.cancelAll.run();
    receipt = test.report();
  });

  const keep = (fields: Partial<Receipt>) => files.save({ ...receipt, ...fields });
  const ids = async () => (await files.all()).receipts.map(({ id }) => id);

  it('is empty at first', async () => {
    assert.deepEqual(await files.all(), { receipts: [], damaged: [], ofOtherVersion: [] });
    assert.deepEqual(await files.sentSince(0), []);
    await files.deleteAll();
  });

  it('returns receipts newest first, and those since a moment', async () => {
    await keep({ id: 'b', sentAt: 2000 });
    await keep({ id: 'c', sentAt: 30_000 });
    await keep({ id: 'a', sentAt: 1000 });
    assert.deepEqual(await ids(), ['c', 'b', 'a']);
    const found = (await files.sentSince(2000)).map(({ id }) => id);
    assert.deepEqual(found, ['c', 'b']);
  });

  it('replaces the receipt of the same cancel-all, readable by this user alone', async () => {
    await keep({ outcome: 'sending' });
    await keep({ outcome: 'done' });
    const names = await readdir(folder);
    assert.equal(names.length, 1);
    const file = path.join(folder, names[0] ?? '');
    assert.deepEqual(JSON.parse(await readFile(file, 'utf8')), { ...receipt, outcome: 'done' });
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    assert.equal((await stat(folder)).mode & 0o777, 0o700);
  });

  it('keeps the newest 200, of all windows together', async () => {
    const other = new ReceiptFiles(folder);
    for (let index = 0; index < maxReceipts + 5; index += 1)
      await (index % 2 ? files : other).save({ ...receipt, id: `r${index}`, sentAt: 1000 + index });
    const kept = await ids();
    assert.equal(kept.length, maxReceipts);
    assert.deepEqual([kept[0], kept.at(-1)], ['r204', 'r5']);
  });

  it('has stored a receipt although an old one cannot be deleted', async () => {
    for (let index = 0; index < maxReceipts; index += 1)
      await keep({ id: `r${index}`, sentAt: 1000 + index });
    // A folder in the place of a file can neither be read nor be removed as a file.
    await mkdir(path.join(folder, '0000000000000001-folder.json'));
    await keep({ id: 'new', sentAt: 9000 });
    assert.equal((await files.byId('new'))?.id, 'new');
  });

  it('contains a receipt before its request ends, and loses old ones only afterwards', async () => {
    for (let index = 0; index < maxReceipts; index += 1)
      await keep({ id: `r${index}`, sentAt: 1000 + index });
    const sending = { id: 'new', sentAt: 9000, endedAt: null, outcome: 'sending' } as const;
    const kept = keep(sending);
    assert.equal(readdirSync(folder).length, maxReceipts + 1);
    await kept;
    assert.equal((await ids())[0], 'new');
    await keep({ ...sending, endedAt: 9500, outcome: 'done' });
    assert.equal((await ids()).length, maxReceipts);
  });

  it('contains every receipt when several windows save at once', async () => {
    const wanted = Array.from({ length: 8 }, (_none, index) => `w${index}`);
    const sentAt = 1000;
    await Promise.all(
      wanted.map((id) => new ReceiptFiles(folder).save({ ...receipt, id, sentAt })),
    );
    assert.deepEqual((await ids()).sort(), wanted);
  });

  it('renames damaged receipts, and never deletes them', async () => {
    await keep({ id: 'good' });
    for (const [name, text] of [
      ['0000000000001000-cut.json', '{"v":1,'],
      ['stranger.json', 'hello'],
    ] as const)
      await writeFile(path.join(folder, name), text);
    const { receipts, damaged } = await files.all();
    assert.equal(receipts.length, 1);
    assert.deepEqual([...damaged].sort(), [
      '0000000000001000-cut.json.damaged',
      'stranger.json.damaged',
    ]);
    assert.equal((await files.all()).damaged.length, 0);
    await files.deleteAll();
    assert.deepEqual((await readdir(folder)).sort(), [...damaged].sort());
    assert.equal(await readFile(path.join(folder, 'stranger.json.damaged'), 'utf8'), 'hello');
  });

  it('keeps the name of a damaged receipt until the user can be notified', async () => {
    await keep({ id: 'good', sentAt: 2000 });
    for (const name of ['0000000000002000-cut.json', 'stranger.json'])
      await writeFile(path.join(folder, name), '{');
    const aside = ['0000000000002000-cut.json.damaged', 'stranger.json.damaged'];
    const shown = (await files.sentSince(1000)).map(({ id }) => id);
    assert.deepEqual(shown, ['good']);
    assert.deepEqual([...(await files.deleteAll()).damaged].sort(), aside);
    assert.deepEqual((await readdir(folder)).sort(), aside);
  });

  it('leaves a receipt of another version as it is, and names it', async () => {
    await keep({ id: 'good' });
    const other = '0000000000000001-other.json';
    await writeFile(path.join(folder, other), JSON.stringify({ ...receipt, v: 2, more: true }));
    const before = await readFile(path.join(folder, other), 'utf8');
    for (let index = 0; index <= maxReceipts; index += 1)
      await keep({ id: `r${index}`, sentAt: 1000 + index });
    assert.deepEqual((await files.sentSince(0)).length, maxReceipts);
    const { damaged, ofOtherVersion } = await files.all();
    assert.deepEqual([damaged, ofOtherVersion], [[], [other]]);
    const draft = `${other}.draft`;
    await writeFile(path.join(folder, draft), before);
    assert.deepEqual((await files.deleteAll()).ofOtherVersion.toSorted(), [other, draft]);
    assert.deepEqual((await readdir(folder)).toSorted(), [other, draft]);
    assert.equal(await readFile(path.join(folder, other), 'utf8'), before);
  });

  it('keeps a damaged receipt of any age', async () => {
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, '0000000000000001-old.json'), '{');
    for (let index = 0; index <= maxReceipts; index += 1)
      await keep({ id: `r${index}`, sentAt: 1000 + index });
    assert.ok((await readdir(folder)).includes('0000000000000001-old.json'));
    assert.deepEqual((await files.all()).damaged, ['0000000000000001-old.json.damaged']);
  });

  it('ignores a half-written draft', async () => {
    await keep({ id: 'good' });
    await writeFile(path.join(folder, '0000000000001000-dead.json.draft'), '{"v"');
    assert.deepEqual(await ids(), ['good']);
    await files.deleteAll();
    assert.deepEqual(await readdir(folder), []);
  });
});
