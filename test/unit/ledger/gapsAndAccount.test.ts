import assert from 'node:assert/strict';
import { minuteMs } from '../../../src/base/time.ts';
import { clientKey, type ExchangeClient } from '../../../src/exchange/client.ts';
import { ExchangeConventions } from '../../../src/exchange/history/exchangeConventions.ts';
import { practiceConventions } from '../../../src/host/profiles/practiceExchange.ts';
import type { HistoryRequest } from '../../../src/exchange/history/records.ts';
import { aHistoryPage } from '../../support/historyPage.ts';
import type { LedgerHistory } from '../../../src/ledger/ledger.ts';
import { compareAccount } from '../../../src/ledger/sync/accountMatch.ts';
import { commitDelayMs } from '../../../src/exchange/history/readToEnd.ts';
import {
  planGaps,
  planIntervals,
  type PlanOptions,
  type PlannedWalk,
} from '../../../src/ledger/sync/downloadPlan.ts';
import { anOrder, aTrade } from '../../support/builders.ts';
import { FileLedger } from '../../support/fileLedger.ts';

const now = 1_000_000;

async function cover(
  ledger: FileLedger,
  history: LedgerHistory,
  from: number,
  to: number,
  completeness: 'complete' | 'unknown' = 'complete',
): Promise<void> {
  const walk = { history, from, to, asOf: now, purpose: 'download' } as const;
  const { id } = await ledger.beginWalk(walk);
  await ledger.endWalk(id, { completeness, reason: null });
}

function optionsFor(writer: FileLedger): PlanOptions {
  const conventions = new ExchangeConventions(practiceConventions);
  const renewTime = () => Promise.resolve();
  const history = () => assert.fail('nothing is counted');
  const client = { conventions, serverNow: () => now, renewTime, history };
  return { [clientKey]: client, writer, usage: { ownShare: 500, windowMs: minuteMs } };
}

const gapsOf = (writer: FileLedger) => planGaps(optionsFor(writer));

describe('the gaps of a ledger', () => {
  it('are what is not complete between the first and the last moment that was read', async () => {
    const ledger = new FileLedger();
    await cover(ledger, 'trades', 1000, 2000);
    await cover(ledger, 'trades', 3000, 4000, 'unknown');
    await cover(ledger, 'trades', 5000, 6000);
    await cover(ledger, 'orders', 2500, 2600);
    const { walks } = await gapsOf(ledger);
    assert.deepEqual(walks, [{ history: 'trades', from: 2000, to: 5000 }]);
  });

  it('leave out periods that a read has started, and histories that were never read', async () => {
    const ledger = new FileLedger();
    await cover(ledger, 'trades', 1000, 2000);
    await cover(ledger, 'trades', 3000, 4000);
    await ledger.beginWalk({
      history: 'trades',
      from: 1900,
      to: 3100,
      asOf: now,
      purpose: 'download',
    });
    const { walks, begun } = await gapsOf(ledger);
    assert.deepEqual(walks, []);
    assert.deepEqual(
      begun.map(({ from, to }) => [from, to]),
      [[1900, 3100]],
    );
  });
});

describe('the gaps of an analysis', () => {
  const planOf = async (writer: FileLedger, gaps: readonly PlannedWalk[]) =>
    (await planIntervals(optionsFor(writer), gaps)).walks;
  const asked = (history: LedgerHistory, from: number, to: number): PlannedWalk => ({
    history,
    from,
    to,
  });

  it('are read before the first read, after the last, and of a history that was never read', async () => {
    const ledger = new FileLedger();
    await cover(ledger, 'trades', 1000, 2000);
    const gaps = [
      asked('trades', 500, 1000),
      asked('trades', 2000, 3000),
      asked('futureTransactions', 500, 3000),
    ];
    assert.deepEqual(await planOf(ledger, gaps), gaps);
  });

  it('are read from the first row on if they begin at 0, and up to rows that are settled', async () => {
    const ledger = new FileLedger();
    assert.deepEqual(await planOf(ledger, [asked('trades', 0, now)]), [
      asked('trades', 0, now - commitDelayMs),
    ]);
  });

  it('are read at once where they adjoin, and not where they were read or begun since', async () => {
    const ledger = new FileLedger();
    const gaps = [asked('trades', 1000, 2000), asked('trades', 2000, 4000)];
    assert.deepEqual(await planOf(ledger, gaps), [asked('trades', 1000, 4000)]);
    await cover(ledger, 'trades', 900, 1500);
    await ledger.beginWalk({ ...asked('trades', 3500, 5000), asOf: now, purpose: 'download' });
    assert.deepEqual(await planOf(ledger, gaps), [asked('trades', 1500, 3500)]);
  });
});

describe('the account of a ledger', () => {
  const trades = [1, 2, 3].map((id) =>
    aTrade({ tradeId: String(id), time: String(1_763_632_800_000 + id) }),
  );

  let asked: HistoryRequest[];
  beforeEach(() => void (asked = []));

  async function matchWith(listed: readonly object[]): Promise<string> {
    const ledger = new FileLedger();
    const walk = { history: 'trades', from: 0, to: 4000, asOf: now, purpose: 'download' } as const;
    const { id } = await ledger.beginWalk(walk);
    await ledger.saveStep(id, trades, null);
    return compareAccount({ [clientKey]: clientListing(listed) }, ledger);
  }

  function clientListing(listed: readonly object[]) {
    return {
      conventions: new ExchangeConventions(practiceConventions),
      history: (request: HistoryRequest) => {
        asked.push(request);
        return Promise.resolve(aHistoryPage(listed));
      },
    } as unknown as ExchangeClient;
  }

  it('is the same if the exchange lists one of its newest rows', async () => {
    assert.equal(await matchWith([trades[1] ?? {}]), 'same');
  });

  it('is another if others are listed in their period, or their ids at other times', async () => {
    assert.equal(await matchWith([aTrade({ tradeId: '3', time: '1763632800002' })]), 'other');
    assert.equal(await matchWith([aTrade({ tradeId: '7', time: '1763632800003' })]), 'other');
  });

  it('is undecided if nothing is listed there, or only rows beside it', async () => {
    assert.equal(await matchWith([]), 'undecided');
    const later = aTrade({ tradeId: '100', time: '1763632900000' });
    assert.equal(await matchWith([later]), 'undecided');
  });

  it('is asked for in the period of its newest rows only: pages may begin with the oldest', async () => {
    await matchWith([trades[1] ?? {}]);
    const [{ period } = assert.fail()] = asked;
    assert.deepEqual(period.from, 1_763_632_800_001);
  });

  it('is compared by its orders if there is nothing else, but these prove no other account', async () => {
    const order = anOrder({ orderId: '1' });
    const ledger = new FileLedger();
    const walk = { history: 'orders', from: 0, to: 4000, asOf: now, purpose: 'download' } as const;
    const { id } = await ledger.beginWalk(walk);
    await ledger.saveStep(id, [order], null);
    assert.equal(await compareAccount({ [clientKey]: clientListing([order]) }, ledger), 'same');
    for (const listed of [[], [anOrder({ orderId: '2' })]])
      assert.equal(
        await compareAccount({ [clientKey]: clientListing(listed) }, ledger),
        'undecided',
      );
  });

  it('cannot be distinguished without rows', async () => {
    assert.equal(
      await compareAccount({ [clientKey]: clientListing([]) }, new FileLedger()),
      'empty',
    );
  });
});
