import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { recordJson } from '../../src/ledger/storage/recordLines.ts';
import { agentsOfEachTest } from '../support/agentsUnderTest.ts';
import { aTrade } from '../support/builders.ts';
import {
  askAtRandom,
  hostileContent,
  randomLedgers,
  readAllHostile,
} from '../support/hostileAgents.ts';

describe('agents', () => {
  const agents = agentsOfEachTest();

  it('get no more than they may for 10,000 random questions', async () => {
    await askAtRandom(agents, { ...randomLedgers(agents), runs: 10_000 });
  });

  it('get nothing harmful from 2,000 hostile records of each history', async () => {
    for (const amounts of ['shown', 'hidden'] as const) {
      agents.grants.revoke();
      agents.ledger(hostileContent(2000), { amounts });
      await readAllHostile(agents, 30);
    }
  });

  it('get no sum over two states while the first and the last trade change together', async () => {
    const count = 40_000;
    const trade = (index: number, rpnl: string) =>
      aTrade({
        tradeId: String(index),
        orderId: '1',
        rpnl,
        time: String(1_790_000_000_000 + index),
      });
    const trades = Array.from({ length: count }, (_none, index) => trade(index, '1'));
    const ledger = agents.ledger({ records: { trades } });
    const stop = new AbortController();
    const writing = (async () => {
      for (let turn = 1; !stop.signal.aborted; turn += 1) {
        const ends = [trade(0, `${turn}`), trade(count - 1, `${2 - turn}`)];
        ledger.storeRows('trades', ends.map(recordJson), 4e12 + turn);
        await setImmediate();
      }
    })();
    const values: unknown[] = [];
    for (let turn = 0; turn < 10; turn += 1) {
      const { rows } = await agents.ask('summarize', { view: 'realizedPl' });
      values.push(rows[0]?.value);
    }
    stop.abort();
    await writing;
    const { rows } = await agents.ask('summarize', { view: 'realizedPl' });
    assert.equal(rows[0]?.value, String(count));
    assert.ok(
      values.every((value) => value === null || value === String(count)),
      values.join(),
    );
  });
});
