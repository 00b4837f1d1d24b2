import assert from 'node:assert/strict';
import { dayMs, hourMs } from '../../src/base/time.ts';
import { AccountLedger } from '../../src/host/ledger/openLedger.ts';
import { LedgerError } from '../../src/ledger/ledgerError.ts';
import { recordJson } from '../../src/ledger/storage/recordLines.ts';
import type { RpcFailure } from '../../src/protocol/messages.ts';
import { ledgerPageSize, type TablePage, type TableQuery } from '../../src/protocol/table.ts';
import { aTrade } from '../support/builders.ts';
import { activatedExtension, openAt } from '../support/extensionUnderTest.ts';
import type { FakePanel } from '../support/fakePanel.ts';
import { serversOfEachTest } from '../support/hostileServer.ts';
import { LedgerOfPanel } from '../support/panelLedger.ts';
import { tablePanelsUnderTest } from '../support/tablePanelsUnderTest.ts';

const query: TableQuery = {
  filters: {},
  page: 0,
  size: ledgerPageSize,
  ledger: { search: '', sort: null },
};

describe('the source of a history panel', () => {
  const serve = serversOfEachTest();
  const access = activatedExtension();
  const ledger = new AccountLedger();
  const tables = tablePanelsUnderTest(access, { ledger });

  afterEach(async () => {
    ledger.show(undefined);
    await access.context.globalState.update('marginDesk.source.trades', undefined);
  });

  const version = '1';
  const versions = {
    orders: version,
    trades: version,
    lots: version,
    futureTransactions: version,
    spotTransactions: version,
    walks: version,
    checkpoints: version,
  };

  /** A ledger of one trade, complete from then on up to half an hour ago, and once it is synchronised up to `syncedTo`. */
  function ledgerFrom(from: number, syncedTo = Date.now() - hourMs / 2): LedgerOfPanel {
    const asOf = Date.now();
    const own: LedgerOfPanel = new LedgerOfPanel({
      rows: () => ({
        lines: [recordJson(aTrade())],
        total: 1,
        listed: 1,
        sortedAsText: 0,
        unlisted: [],
      }),
      sums: () => [],
      past: () => ({ unlistedSince: null, versions: [] }),
      versions: () => versions,
      coverage: () => {
        const to = own.synchronised > 0 ? syncedTo : asOf - hourMs / 2;
        return [{ from, to, asOf, completeness: 'complete', reason: null }];
      },
      checkpoints: () => [],
    });
    return own;
  }

  /** A trade history with this ledger, of an exchange that has no history. */
  async function showTrades(of?: LedgerOfPanel): Promise<FakePanel> {
    const { url } = await serve((_request, response) => response.writeHead(404).end());
    await openAt(access, url);
    ledger.show(of?.current);
    tables.panels.show('trades');
    return tables.created.at(-1) ?? assert.fail('no panel');
  }

  it('is the ledger where it has the whole period, else the exchange, and no choice without one', async () => {
    const panel = await showTrades(ledgerFrom(0));
    assert.equal((await panel.describe()).source, 'ledger');
    ledger.show(ledgerFrom(Date.now() - hourMs).current);
    assert.equal((await panel.describe()).source, 'exchange');
    ledger.show(undefined);
    assert.equal((await panel.describe()).source, null);
  });

  it('is the ledger, and the period is what it has, where one read shows that it is current', async () => {
    const from = Date.now() - dayMs;
    const dateFrom = new Date(from).toISOString();
    const current = ledgerFrom(from, Date.now());
    const panel = await showTrades(current);
    const { source, initialFilters } = await panel.describe();
    assert.deepEqual([source, initialFilters], ['ledger', { dateFrom }]);
    assert.deepEqual(current.synchronisedHistories, ['trades']);
    await panel.ask('table/source', 'exchange');
    assert.deepEqual([(await panel.describe()).initialFilters], [null]);
  });

  it('is the exchange without a period where the ledger begins less than a day ago', async () => {
    const panel = await showTrades(ledgerFrom(Date.now() - hourMs, Date.now()));
    const { source, initialFilters } = await panel.describe();
    assert.deepEqual([source, initialFilters], ['exchange', null]);
  });

  it('is the exchange without a period where the ledger stays behind, or was not kept current', async () => {
    const behind = ledgerFrom(Date.now() - dayMs);
    const panel = await showTrades(behind);
    const opening = async () => {
      const { source, initialFilters } = await panel.describe();
      return [source, initialFilters];
    };
    assert.deepEqual(await opening(), ['exchange', null]);
    assert.notEqual(behind.synchronised, 0);
    behind.isReadElsewhere = true;
    assert.deepEqual(await opening(), ['exchange', null]);
    behind.failure = new LedgerError('damaged');
    assert.deepEqual(await opening(), ['exchange', null]);
  });

  it('keeps a period that was asked for, and that of an earlier query', async () => {
    const current = ledgerFrom(Date.now() - dayMs, Date.now());
    const panel = await showTrades(current);
    const dateTo = '2026-11-20T10:00:00.000Z';
    tables.panels.show('trades', { dateTo });
    assert.deepEqual((await panel.describe()).initialFilters, { dateTo });
    await panel.ask('table/page', { filters: { dateTo }, page: 0, size: 100 });
    await panel.ask('table/page', { filters: {}, page: 0, size: 100 });
    assert.equal((await panel.describe()).initialFilters, null);
    assert.equal(current.synchronised, 0);
  });

  it('stays the ledger for rows of it that are kept, whichever period they are of', async () => {
    const panel = await showTrades(ledgerFrom(Date.now() - hourMs));
    await panel.ask('table/page', query);
    assert.equal((await panel.describe()).source, 'ledger');
  });

  it('is what was chosen last, in every panel of the table', async () => {
    const panel = await showTrades(ledgerFrom(0));
    await panel.ask('table/source', 'exchange');
    assert.equal((await panel.describe()).source, 'exchange');
    tables.panels.show('trades', { symbol: 'btc_usdt' });
    const [, ofSymbol = assert.fail('no panel')] = tables.created;
    assert.equal((await ofSymbol.describe()).source, 'exchange');
  });

  it('is asked for again when the account gets a ledger or loses it', async () => {
    const panel = await showTrades();
    await panel.describe();
    const reopened = () => panel.posted.filter(({ name }) => name === 'table/reopen').length;
    ledger.show(ledgerFrom(0).current);
    assert.equal(reopened(), 1);
    ledger.show(undefined);
    assert.equal(reopened(), 2);
  });

  it('gives rows of the ledger while the exchange answers nothing, and leaves the page size', async () => {
    const panel = await showTrades(ledgerFrom(0));
    const { pageSize } = await panel.describe();
    await panel.ask('table/page', { filters: {}, page: 0, size: pageSize });
    const page = (await panel.ask('table/page', query)).body as TablePage;
    assert.equal(page.totalElements, '1');
    assert.match(page.ledger?.coverage ?? '', /^complete to /);
    assert.equal((await panel.describe()).pageSize, pageSize);
    assert.equal((await panel.ask('table/weight', null)).body, 'Synchronises the ledger first');
  });

  it('is synchronised on request, unless another window does that, which is one sentence', async () => {
    const own = ledgerFrom(0);
    const panel = await showTrades(own);
    const answer = async () => (await panel.ask('table/synchronise', null)).kind;
    assert.deepEqual([await answer(), own.synchronised], ['reply', 1]);
    assert.deepEqual(own.synchronisedHistories, ['trades']);
    const isReadElsewhere = async () => {
      const { kind, body } = await panel.ask('table/synchronise', null);
      assert.equal(kind, 'error');
      assert.equal(
        (body as RpcFailure).sentence,
        'Another window reads this account into the ledger; this one shows what it has read.',
      );
    };
    // It takes over in the middle of the read.
    own.failure = new LedgerError('otherWriter');
    await isReadElsewhere();
    own.failure = undefined;
    own.isReadElsewhere = true;
    await isReadElsewhere();
    own.failure = new LedgerError('full', 'ENOSPC');
    assert.equal(await answer(), 'error');
  });
});
