import assert from 'node:assert/strict';
import { dayMs, hourMs } from '../../../../src/base/time.ts';
import { describeTable } from '../../../../src/host/tables/describe.ts';
import { synchronise } from '../../../../src/host/tables/ledgerRows.ts';
import { PanelRows } from '../../../../src/host/tables/panelRows.ts';
import type { PanelState } from '../../../../src/host/tables/panelState.ts';
import { createTableDefinition } from '../../../../src/host/tables/tables.ts';
import type { LedgerCalls } from '../../../../src/ledger/storedLedger.ts';
import { LedgerError } from '../../../../src/ledger/ledgerError.ts';
import type { TableFilters } from '../../../../src/protocol/table.ts';
import { aDisplay } from '../../../support/display.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { LedgerOfPanel, noLedger } from '../../../support/panelLedger.ts';
import { defaultLayout } from '../../../../src/protocol/values.ts';

const now = Date.UTC(2026, 10, 20, 10);
const halfAnHourAgo = now - hourMs / 2;

/** A ledger that is complete from then on up to half an hour ago, and once it is synchronised up to `syncedTo`. */
function ledgerFrom(from: number, syncedTo = halfAnHourAgo): LedgerOfPanel {
  const coverage = () => {
    const to = own.synchronised > 0 ? syncedTo : halfAnHourAgo;
    return [{ from, to, asOf: now, completeness: 'complete', reason: null }];
  };
  const own: LedgerOfPanel = new LedgerOfPanel({ coverage } as unknown as LedgerCalls);
  return own;
}

type Opening = readonly [source: 'ledger' | 'exchange' | null, initialFilters: TableFilters | null];

/** Where a panel of trades reads when it opens, and with which filters. */
async function openingWith(
  ledger: LedgerOfPanel | typeof noLedger,
  state: Partial<PanelState> = {},
  chosen?: 'ledger' | 'exchange',
): Promise<Opening> {
  const exchangeInformation = { cached: undefined, getOrCached: () => Promise.resolve() };
  const session = { serverNow: () => now, store: { state: {} }, exchangeInformation };
  const active = { state: { kind: 'open', session }, session: () => Promise.resolve(session) };
  const rows = new PanelRows({
    ...{ name: 'trades', table: createTableDefinition('trades'), clock: new FakeClock(now) },
    ...{ active, ledger, isVisible: () => true, display: { current: aDisplay() } },
  } as unknown as ConstructorParameters<typeof PanelRows>[0]);
  rows.update(state);
  const choices = {
    pageSize: () => ({ get: () => 20 }),
    source: () => ({ get: () => chosen }),
    layout: () => ({ get: () => defaultLayout }),
  } as unknown as Parameters<typeof describeTable>[1];
  const context = { profile: 'Mine', environment: 'TEST', session: 1 };
  const { source, initialFilters } = await describeTable(rows, choices, () => context);
  return [source, initialFilters];
}

describe('where a history panel reads when it opens', () => {
  const dateFrom = new Date(now - dayMs).toISOString();
  const dateTo = '2026-11-20T10:00:00.000Z';
  const query = { filters: {}, page: 0, size: 20 };
  const ofLedger = { ...query, ledger: { search: '', sort: null } };
  const current = () => ledgerFrom(now - dayMs, now);

  it('is the ledger where it has the whole period, else the exchange, and no choice without one', async () => {
    assert.deepEqual(await openingWith(ledgerFrom(0)), ['ledger', null]);
    assert.deepEqual(await openingWith(ledgerFrom(now - hourMs)), ['exchange', null]);
    assert.deepEqual(await openingWith(noLedger), [null, null]);
  });

  it('is the ledger, and the period is what it has, where one read shows that it is current', async () => {
    const ledger = current();
    assert.deepEqual(await openingWith(ledger), ['ledger', { dateFrom }]);
    assert.deepEqual(ledger.synchronisedHistories, ['trades']);
    const hasJustBegun = ledgerFrom(now - dayMs + 1, now);
    assert.deepEqual(await openingWith(hasJustBegun), ['exchange', null]);
  });

  it('is the exchange where the ledger stays behind, is read elsewhere, or fails', async () => {
    const behind = ledgerFrom(now - dayMs);
    assert.deepEqual(await openingWith(behind), ['exchange', null]);
    assert.notEqual(behind.synchronised, 0);
    behind.isReadElsewhere = true;
    assert.deepEqual(await openingWith(behind), ['exchange', null]);
    behind.failure = new LedgerError('damaged');
    assert.deepEqual(await openingWith(behind), ['exchange', null]);
  });

  it('keeps a period that was asked for, and that of an earlier query', async () => {
    const ledger = current();
    assert.deepEqual((await openingWith(ledger, { pending: { dateTo } }))[1], { dateTo });
    assert.equal((await openingWith(ledger, { query }))[1], null);
    assert.equal(ledger.synchronised, 0);
  });

  it('is the ledger for rows of it that are kept, whichever period they are of', async () => {
    const failure = { query: ofLedger, error: new Error('gone'), at: now };
    const [source] = await openingWith(ledgerFrom(now - hourMs), { query: ofLedger, failure });
    assert.equal(source, 'ledger');
    const pending = { symbol: 'btc_usdt' };
    const commanded = { query: ofLedger, failure, pending };
    assert.equal((await openingWith(ledgerFrom(now - hourMs), commanded))[0], 'exchange');
  });

  it('is what was chosen last', async () => {
    assert.deepEqual(await openingWith(ledgerFrom(0), {}, 'exchange'), ['exchange', null]);
    const earlier = await openingWith(ledgerFrom(now - hourMs), { query }, 'ledger');
    assert.deepEqual(earlier, ['ledger', null]);
  });
});

describe('a panel that has the ledger synchronised', () => {
  const { signal } = new AbortController();

  it('has the histories of its table read', async () => {
    const ledger = ledgerFrom(0);
    await synchronise(ledger, 'transactions', signal);
    assert.deepEqual(ledger.synchronisedHistories, ['futureTransactions', 'spotTransactions']);
  });

  it('says if another window does that, also if it takes over meanwhile', async () => {
    const sentence = { message: /^Another window reads this account into the ledger; / };
    const ledger = ledgerFrom(0);
    ledger.failure = new LedgerError('otherWriter');
    await assert.rejects(synchronise(ledger, 'trades', signal), sentence);
    ledger.failure = undefined;
    ledger.isReadElsewhere = true;
    await assert.rejects(synchronise(ledger, 'trades', signal), sentence);
    ledger.failure = new LedgerError('full', 'ENOSPC');
    await assert.rejects(synchronise(ledger, 'trades', signal), { problem: 'full' });
  });
});
