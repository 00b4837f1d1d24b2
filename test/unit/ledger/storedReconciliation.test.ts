import assert from 'node:assert/strict';
import { sum } from '../../../src/base/decimal.ts';
import { dayMs, hourMs, minuteMs } from '../../../src/base/time.ts';
import { JsonNumber } from '../../../src/base/exactJson.ts';
import { timeOf } from '../../../src/exchange/history/records.ts';
import type { Transaction } from '../../../src/exchange/records.ts';
import type { LedgerClient } from '../../../src/ledger/ledgerClient.ts';
import {
  ledgerHistoryNames,
  type Checkpoint,
  type SubjectReport,
} from '../../../src/ledger/ledger.ts';
import type { LedgerRecords } from '../../support/ledgerInMemory.ts';
import { beginWalk, ledgersOfEachTest } from '../../support/ledgerUnderTest.ts';
import { practiceLedger } from '../../support/practiceLedger.ts';

/** The practice account starts again on Mondays: one lies in it. */
const start = Date.UTC(2026, 9, 8, 0, 30);
const period = { from: start, to: start + 10 * dayMs };

describe('the reconciliation of a stored ledger', () => {
  const under = ledgersOfEachTest();
  const { checkpoints, records } = practiceLedger(1, period, 3 * hourMs);
  const future = records.futureTransactions as readonly Transaction[];

  const ledgerWith = async (
    changed: Partial<LedgerRecords> = {},
    read = (checkpoint: Checkpoint): Checkpoint => checkpoint,
  ): Promise<LedgerClient> => {
    const client = under.open(under.ledgers.create());
    const stored = { ...records, ...changed };
    for (const checkpoint of checkpoints) await client.addCheckpoint(read(checkpoint));
    for (const history of ledgerHistoryNames) {
      const walk = await beginWalk(client, history);
      await client.saveStep(walk.id, stored[history], null);
      await client.endWalk(walk.id, { completeness: 'complete', reason: null });
    }
    return client;
  };

  it('compares every record that the exchange still lists, however many there are', async () => {
    const [first] = future;
    const more = Array.from({ length: 3000 }, (_none, index) => ({
      ...(first ?? assert.fail()),
      transactionId: String(10_000_000 + index),
      amount: '1',
      type: 'REWARD' as const,
      time: String(start + dayMs + index * minuteMs),
    }));
    const until = (time: number) => more.filter((row) => Number(row.time) < time).length;
    const client = await ledgerWith({ futureTransactions: [...future, ...more] }, (checkpoint) => ({
      ...checkpoint,
      assets: (checkpoint.assets ?? []).map((asset) =>
        asset.name === first?.asset
          ? { ...asset, deposited: sum([asset.deposited ?? '0', String(until(checkpoint.sentAt))]) }
          : asset,
      ),
    }));
    // A row that the exchange listed once, and no longer.
    const gone = { ...(more[1500] ?? assert.fail()), transactionId: '1', amount: '7' };
    for (const rows of [
      [...future, ...more, gone],
      [...future, ...more],
    ]) {
      const walk = await beginWalk(client, 'futureTransactions');
      await client.saveStep(walk.id, rows, null);
      await client.endWalk(walk.id, { completeness: 'complete', reason: null });
    }
    const [deposited] = await client.reconcile();
    assert.equal(deposited?.reading, 'FUTURE');
    assert.ok(deposited.subjects.length > 1);
    assert.deepEqual(
      new Set(deposited.subjects.map(({ verdict }) => verdict)),
      new Set(['proved']),
    );
  });

  it('covers what was read after the first download as well', async () => {
    const client = under.open(under.ledgers.create());
    for (const checkpoint of checkpoints) await client.addCheckpoint(checkpoint);
    const middle = start + dayMs;
    for (const history of ledgerHistoryNames)
      for (const read of [
        { from: 0, to: middle, asOf: middle + minuteMs },
        { from: middle - minuteMs, to: period.to, asOf: period.to + minuteMs },
      ]) {
        const walk = await client.beginWalk({ ...read, history, purpose: 'current' });
        const isRead = (time = 0): boolean => time >= read.from && time < read.to;
        const rows = records[history].filter((record) => isRead(timeOf(record)));
        await client.saveStep(walk.id, rows, null);
        await client.endWalk(walk.id, { completeness: 'complete', reason: null });
      }
    const [deposited] = await client.reconcile();
    assert.deepEqual(deposited?.covered, [{ from: 0, to: period.to }]);
  });

  it('names the interval of a withheld transaction, and the trade that bears it out', async () => {
    const withheld = aFee(future);
    const others = future.filter((each) => each !== withheld);
    const usdt = await usdtOf(await ledgerWith({ futureTransactions: others }));
    assert.equal(usdt.verdict, 'contradicted');
    assert.equal(usdt.contradictions.length, 1);
    const [{ from, to, remainder } = assert.fail()] = usdt.contradictions;
    assert.equal(remainder, withheld.amount);
    assert.ok(from <= Number(withheld.time) && Number(withheld.time) < to);
    assert.ok(to - from < 4 * hourMs);
    assert.equal(usdt.candidates[0]?.kind, 'withoutTransaction');
  });

  it('returns the records of candidates as the exchange wrote them', async () => {
    const fee = aFee(future);
    const extra = { rate: new JsonNumber('0.10') };
    const doubled = { ...fee, transactionId: '999999999', extra };
    const usdt = await usdtOf(await ledgerWith({ futureTransactions: [...future, doubled] }));
    const twice = usdt.candidates.find(({ kind }) => kind === 'countedTwice');
    assert.deepEqual(
      twice?.rows.find(({ record }) => JSON.stringify(record.extra) !== '{}')?.record,
      doubled,
    );
  });
});

/** From the middle of the period. */
function aFee(transactions: readonly Transaction[]): Transaction {
  const fees = transactions.filter(({ type, asset }) => type === 'FEE' && asset === 'usdt');
  return fees[Math.floor(fees.length / 2)] ?? assert.fail('no fee');
}

async function usdtOf(client: LedgerClient): Promise<SubjectReport> {
  const [deposited] = await client.reconcile();
  return deposited?.subjects.find(({ subject }) => subject === 'usdt') ?? assert.fail();
}
