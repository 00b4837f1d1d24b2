import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import type { LedgerClient } from '../../../src/ledger/ledgerClient.ts';
import type { Order } from '../../../src/exchange/records.ts';
import { JsonNumber } from '../../../src/base/exactJson.ts';
import { anOrder } from '../../support/builders.ts';
import { aQuery, beginWalk, ledgersOfEachTest } from '../../support/ledgerUnderTest.ts';

describe('records of one id', () => {
  const under = ledgersOfEachTest();
  let id: string;
  let client: LedgerClient;
  beforeEach(() => {
    id = under.ledgers.create();
    client = under.open(id);
  });

  /** A walk of these answers; returns what each of them changed. */
  const walk = async (...answers: readonly (readonly Order[])[]) => {
    const { id: walkId } = await beginWalk(client, 'orders');
    const counts = [];
    for (const answer of answers) counts.push(await client.saveStep(walkId, answer, null));
    await client.endWalk(walkId, { completeness: 'complete', reason: null });
    return counts;
  };
  const amounts = async (): Promise<string[]> => {
    const { rows } = await client.rows(aQuery('orders'), 0, 100);
    return rows.map((row) => (row as Order).filled ?? '').sort();
  };
  const filled = (text: string): Order => anOrder({ filled: text });
  const versions = (): string[] => {
    const database = new DatabaseSync(under.fileOf(id), { readOnly: true });
    try {
      const rows = database.prepare('SELECT json FROM versions ORDER BY rowid').all();
      return rows.map(({ json }) => (JSON.parse(String(json)) as Order).filled ?? '');
    } finally {
      database.close();
    }
  };

  it('are one record if they are equal, however many walks and answers show it', async () => {
    assert.deepEqual(await walk([filled('1')], [filled('1')]), [
      { added: 1, changed: 0 },
      { added: 0, changed: 0 },
    ]);
    assert.deepEqual(await walk([filled('1')]), [{ added: 0, changed: 0 }]);
    assert.deepEqual(await amounts(), ['1']);
  });

  it('are counted as often as one answer showed them, if they are equal', async () => {
    await walk([filled('1'), filled('1')], [filled('1')]);
    assert.deepEqual(await amounts(), ['1', '1']);
    assert.deepEqual(await walk([filled('1'), filled('1'), filled('1')]), [
      { added: 1, changed: 0 },
    ]);
    assert.deepEqual(await amounts(), ['1', '1', '1']);
  });

  it('are all kept if one walk shows them', async () => {
    await walk([filled('1')], [filled('2'), filled('3')]);
    assert.deepEqual(await amounts(), ['1', '2', '3']);
    assert.deepEqual(versions(), []);
  });

  it('replace the one of an earlier walk, whose version is kept', async () => {
    await walk([filled('1')]);
    assert.deepEqual(await walk([filled('2')]), [{ added: 0, changed: 1 }]);
    await walk([filled('3')]);
    assert.deepEqual(await amounts(), ['3']);
    assert.deepEqual(versions(), ['1', '2']);
  });

  it('stay, if a later walk shows one of them changed and the other in another answer', async () => {
    await walk([filled('1'), filled('2')]);
    await walk([filled('3')], [filled('1')]);
    assert.deepEqual(await amounts(), ['1', '3']);
    await walk([filled('1')]);
    assert.deepEqual(await amounts(), ['1', '3']);
  });

  it('are the same whatever the order of the fields that the API does not name', async () => {
    const extra = { a: new JsonNumber('1.0'), b: 'x', c: { d: [{ e: 'y', f: null }], g: true } };
    await walk([anOrder({ extra })]);
    const other = {
      c: { g: true, d: [{ f: null, e: 'y' }] },
      b: 'x',
      a: new JsonNumber('1.0'),
    };
    assert.deepEqual(await walk([anOrder({ extra: other })]), [{ added: 0, changed: 0 }]);
    assert.deepEqual(await walk([anOrder({ extra: { ...other, a: new JsonNumber('1') } })]), [
      { added: 0, changed: 1 },
    ]);
  });
});
