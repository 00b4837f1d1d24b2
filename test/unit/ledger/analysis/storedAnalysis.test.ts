import assert from 'node:assert/strict';
import type { LedgerClient } from '../../../../src/ledger/ledgerClient.ts';
import { analysisOf } from '../../../support/analysedLedger.ts';
import { aTrade } from '../../../support/builders.ts';
import { aQuery, beginWalk, ledgersOfEachTest } from '../../../support/ledgerUnderTest.ts';

const start = 1_763_600_000_000;
const stepSize = 200;

describe('the analysis of a stored ledger', () => {
  const under = ledgersOfEachTest();

  /** Writes steps of trades, each of which realises 1, and ends the walk; returns how many trades. */
  const write = async (
    client: LedgerClient,
    isEnough: (steps: number) => boolean,
  ): Promise<number> => {
    const walk = await beginWalk(client, 'trades');
    let count = 0;
    for (let steps = 0; !isEnough(steps); steps += 1) {
      const ids = Array.from({ length: stepSize }, (_none, index) => count + index);
      const trades = ids.map((id) =>
        aTrade({
          tradeId: String(id),
          orderId: String(id),
          rpnl: '1',
          time: String(start + id * 1000),
        }),
      );
      await client.saveStep(walk.id, trades, steps);
      count += stepSize;
    }
    await client.endWalk(walk.id, { completeness: 'complete', reason: null });
    return count;
  };

  it('has whole steps while another window writes, and every row once it says so', async () => {
    const id = under.ledgers.create();
    const [writer, reader] = [under.open(id), under.open(id)];
    const totals: number[] = [];
    const written = write(writer, () => new Set(totals).size > 1);
    const [count, { complete, total }] = await Promise.all([
      written,
      eventuallyComplete(reader, totals),
    ]);
    assert.deepEqual(complete, [{ from: 0, to: 1_763_632_800_000 }]);
    assert.equal(total, count);
    assert.ok(totals.every((each) => each % stepSize === 0));
    assert.deepEqual(
      totals,
      totals.toSorted((one, other) => one - other),
    );
  });

  it('has the assets that a window kept, also in another one', async () => {
    const id = under.ledgers.create();
    const [writer, reader] = [under.open(id), under.open(id)];
    await write(writer, (steps) => steps === 1);
    const assets = async () =>
      (await analysisOf(reader, 'realizedPl')).series.map(
        ({ asset, assetBasis }) => `${asset} ${assetBasis}`,
      );
    assert.deepEqual(await assets(), ['usdt assumed']);
    const symbol = { symbol: 'btc_usdt', marginAsset: 'btc', quoteAsset: 'usdt' };
    await writer.keepSymbols([symbol, { ...symbol, symbol: 'eth_usdt' }]);
    assert.deepEqual(await assets(), ['btc known']);
    await writer.keepSymbols([{ ...symbol, marginAsset: 'usdt' }]);
    assert.deepEqual(await assets(), ['usdt known']);
    assert.equal(await reader.feeSign(), null);
  });

  it('leaves the ledger free to answer other calls meanwhile', async () => {
    const client = under.open(under.ledgers.create());
    await write(client, (steps) => steps === 5);
    const answered: string[] = [];
    const analysed = analysisOf(client, 'numbers').then(() => answered.push('analysis'));
    await client.rows(aQuery('trades'), 0, 10).then(() => answered.push('rows'));
    await analysed;
    assert.deepEqual(answered, ['rows', 'analysis']);
  });

  it('ends with the ledger', async () => {
    const client = under.open(under.ledgers.create());
    await write(client, (steps) => steps === 1);
    const ended = assert.rejects(analysisOf(client, 'numbers'), { problem: 'ended' });
    await client.close();
    await ended;
  });

  it('fails with the problem of the file', async () => {
    const id = under.ledgers.create();
    const client = under.open(id);
    await write(client, (steps) => steps === 1);
    await client.close();
    under.ledgers.delete(id);
    await assert.rejects(analysisOf(under.open(id), 'realizedPl'), { problem: 'missing' });
  });
});

/** Analyses until the rows are complete; notes each total. */
async function eventuallyComplete(reader: LedgerClient, totals: number[]) {
  for (;;) {
    const { series, coverage } = await analysisOf(reader, 'realizedPl');
    const total = Number(series[0]?.total ?? '0');
    totals.push(total);
    if (coverage.complete.length > 0) return { complete: coverage.complete, total };
  }
}
