import assert from 'node:assert/strict';
import path from 'node:path';
import type { ActiveAccount } from '../../../../src/account/session/activeAccount.ts';
import { hourMs, minuteMs } from '../../../../src/base/time.ts';
import type { HistoryRecord } from '../../../../src/exchange/history/records.ts';
import { pastOf } from '../../../../src/host/tables/rowDetails.ts';
import type { HistoryTable } from '../../../../src/host/tables/definition.ts';
import { PanelRows } from '../../../../src/host/tables/panelRows.ts';
import { createTableDefinition } from '../../../../src/host/tables/tables.ts';
import type { DisplayState } from '../../../../src/host/settings/displayState.ts';
import type { LedgerHistory } from '../../../../src/ledger/ledger.ts';
import type { LedgerCalls } from '../../../../src/ledger/storedLedger.ts';
import { LedgerError } from '../../../../src/ledger/ledgerError.ts';
import { recordJson } from '../../../../src/ledger/storage/recordLines.ts';
import type { TablePage, TableName, TableQuery } from '../../../../src/protocol/table.ts';
import { anOrder, aTrade } from '../../../support/builders.ts';
import { aDisplay } from '../../../support/display.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { ledgerInThisThread } from '../../../support/ledgerUnderTest.ts';
import { LedgerOfPanel, noLedger } from '../../../support/panelLedger.ts';
import { folderOfEachTest } from '../../../support/project.ts';

/** 2026-11-20T10:00:00Z, by the exchange's clock. */
const now = 1_795_168_800_000;
const query: TableQuery = {
  filters: {},
  page: 0,
  size: 20_000,
  ledger: { search: '', sort: null },
};
const feeFirst = { search: '', sort: { field: 'fee', isDescending: false } };

/** Each fee costs more digits than a float has; the times are those of the ids. */
const trades = ['0.9', '0.10', '100000000000000000.5', '0.000000000000000001'].map((fee, index) =>
  aTrade({
    tradeId: `9007199254740${index}`,
    time: String(now - hourMs + index),
    fee,
    side: index % 2 === 0 ? 'BUY' : 'SELL',
    feeAsset: index === 3 ? 'btc' : 'usdt',
  }),
);

const symbols = ['btc_usdt', 'eth_usdt'].map((symbol) => ({ symbol, marginAsset: 'usdt' }));

describe('a page of the ledger', () => {
  const folder = folderOfEachTest();
  let stored: LedgerCalls;

  /** A ledger in which each history is complete up to half an hour ago. */
  function ledgerWith(records: Partial<Record<LedgerHistory, readonly HistoryRecord[]>>) {
    stored = ledgerInThisThread({ file: path.join(folder.path, 'ledger.sqlite') });
    const histories = Object.entries(records) as [LedgerHistory, readonly HistoryRecord[]][];
    for (const [history, own] of histories) {
      const read = { from: 0, to: now - 30 * minuteMs, asOf: now, purpose: 'download' } as const;
      const { id } = stored.beginWalk({ history, ...read });
      stored.saveStep(id, own.map(recordJson), null);
      stored.endWalk(id, { completeness: 'complete', reason: null });
    }
    return new LedgerOfPanel(stored);
  }

  /** A later walk, which shows these records. */
  function readAgain(records: readonly HistoryRecord[], history: LedgerHistory = 'trades'): void {
    const read = { from: 0, to: now, asOf: now, purpose: 'current' } as const;
    const { id } = stored.beginWalk({ history, ...read });
    stored.saveStep(id, records.map(recordJson), null);
    stored.endWalk(id, { completeness: 'complete', reason: null });
  }

  function readerOf(name: TableName, ledger = noLedger as LedgerOfPanel, display = aDisplay()) {
    const session = {
      serverNow: () => now,
      store: { state: {} },
      exchangeInformation: { cached: { value: { symbols } } },
    };
    const active = { state: { kind: 'open', session }, session: () => Promise.resolve(session) };
    return new PanelRows({
      name,
      table: createTableDefinition(name),
      clock: new FakeClock(),
      ledger,
      active: active as unknown as ActiveAccount,
      isVisible: () => true,
      display: { current: display } as unknown as DisplayState,
    });
  }

  function read(
    name: TableName,
    ledger: LedgerOfPanel,
    fields: Partial<TableQuery> = {},
    display = aDisplay(),
  ): Promise<TablePage> {
    const asked = { ...query, ...fields };
    return readerOf(name, ledger, display).read(asked, new AbortController().signal);
  }

  function column(name: TableName, field: string, { rows }: TablePage) {
    const index = createTableDefinition(name).columns.findIndex((each) => each.field === field);
    return rows.map((cells) => cells[index]);
  }

  it('can begin with its first rows, and what is said of all of them', async () => {
    const many = Array.from({ length: 300 }, (_none, index) =>
      aTrade({ tradeId: String(index), time: String(now - hourMs - index * 1000) }),
    );
    const ledger = ledgerWith({ trades: many });
    const all = await read('trades', ledger, { size: 250 });
    assert.deepEqual(column('trades', 'tradeId', all).slice(0, 2), ['0', '1']);
    assert.deepEqual([all.readAt, all.totalElements, all.totalPages], [now, '300', '2']);
    const start = await read('trades', ledger, {
      size: 250,
      ledger: { search: '', sort: null, isStart: true },
    });
    assert.deepEqual([all.rows.length, start.rows.length], [250, 200]);
    assert.deepEqual(start, { ...all, rows: all.rows.slice(0, 200) });
  });

  it('says of which part of the period its sums are, and has none of what was not read', async () => {
    const ledger = ledgerWith({ trades });
    const partOf = async (dateFrom: string) => {
      const page = await read('trades', ledger, { filters: { dateFrom } });
      return [page.ledger?.incomplete, page.ledger?.sums.length];
    };
    assert.deepEqual(await partOf('2026-11-18T00:00:00Z'), [null, 4]);
    assert.deepEqual(await partOf('2026-11-20T09:40:00Z'), ['Incomplete: 0 of 20 minutes', 0]);
  });

  it('says before when only the exchange has rows, if its period reaches there', async () => {
    const whole = ledgerWith({ trades });
    assert.equal((await read('trades', whole)).ledger?.olderThan, null);
    const begin = Date.parse('2026-11-19T10:00:00Z');
    const coverage = {
      from: begin,
      to: now,
      asOf: now,
      completeness: 'complete',
      reason: null,
    } as const;
    const ledger = new LedgerOfPanel({ ...stored, coverage: () => [coverage] });
    const olderThan = async (dateFrom?: string) =>
      (await read('trades', ledger, { filters: dateFrom ? { dateFrom } : {} })).ledger?.olderThan;
    assert.equal(await olderThan(), begin);
    assert.equal(await olderThan('2026-11-19T10:00:00Z'), begin);
    assert.equal(await olderThan('2026-11-19T11:00:00Z'), null);
  });

  it('is sorted over everything, not within a page, and has exact sums of all rows by unit', async () => {
    const fields = { size: 2, ledger: feeFirst };
    const ledger = ledgerWith({ trades });
    const first = await read('trades', ledger, fields);
    const second = await read('trades', ledger, { ...fields, page: 1 });
    assert.deepEqual(column('trades', 'fee', first), ['0.000000000000000001', '0.10']);
    assert.deepEqual(column('trades', 'fee', second), ['0.9', '100000000000000000.5']);
    assert.equal(first.totalPages, '2');
    const sums = second.ledger?.sums.filter(({ field }) => field === 'fee');
    const of = (asset: string) => sums?.find(({ unit }) => unit === asset);
    const tiny = '0.000000000000000001';
    const figures = { sum: tiny, min: tiny, max: tiny, bySide: null };
    assert.deepEqual(of('btc'), { field: 'fee', unit: 'btc', lacking: 0, ...figures });
    assert.equal(of('usdt')?.sum, '100000000000000001.5');
  });

  it('has several filters and a search at once', async () => {
    const statuses = ['EXECUTED', 'CANCELED'];
    const orders = [
      anOrder({ orderId: '7101', status: 'EXECUTED' }),
      anOrder({ orderId: '7102', status: 'CANCELED' }),
      anOrder({ orderId: '7103', status: 'LIQUIDATED' }),
      anOrder({ orderId: '7104', status: 'EXECUTED', side: 'SELL' }),
      anOrder({ orderId: '8101', status: 'EXECUTED' }),
    ];
    const page = await read('orders', ledgerWith({ orders }), {
      filters: { statuses, side: 'BUY' },
      ledger: { search: ' 710 ', sort: { field: 'orderId', isDescending: false } },
    });
    assert.deepEqual(column('orders', 'orderId', page), ['7101', '7102']);
  });

  it('adds up profits by the margin asset of their symbol, and says how many rows lack one', async () => {
    const symbols = ['btc_usdt', 'eth_usdt', 'old_usdt', 'eth_usdt', 'none_usdt'];
    const own = symbols.map((symbol, index) =>
      aTrade({
        symbol,
        tradeId: String(index),
        time: String(now - hourMs),
        rpnl: index < 3 ? `-${index}.5` : null,
      }),
    );
    const { ledger } = await read('trades', ledgerWith({ trades: own }));
    const profits = ledger?.sums.filter(({ field }) => field === 'rpnl');
    const of = (unit: string, lacking: number) => {
      return { field: 'rpnl', unit, lacking, bySide: null };
    };
    assert.deepEqual(profits, [
      { ...of('usdt', 1), sum: '-2', min: '-1.5', max: '-0.5' },
      { ...of('old_usdt', 0), sum: '-2.5', min: '-2.5', max: '-2.5' },
    ]);
  });

  it('has what was bought and sold, after profits and fees', async () => {
    const own = ['BUY', 'BUY', 'SELL'].map((side, index) =>
      aTrade({ side, tradeId: String(index), time: String(now - hourMs), amount: `${index}.5` }),
    );
    const ledger = ledgerWith({ trades: own });
    const sums = (await read('trades', ledger)).ledger?.sums ?? [];
    assert.deepEqual([...new Set(sums.map(({ field }) => field))], ['rpnl', 'fee', 'amount']);
    assert.deepEqual(sums.at(-1)?.bySide, { bought: '2', sold: '2.5' });
    const filtered = await read('trades', ledger, { filters: { side: 'BUY' } });
    assert.equal(filtered.ledger?.sums.at(-1)?.bySide, null);
  });

  it('has no net of a symbol with a row of neither side', async () => {
    const sides = [
      ['btc_usdt', 'BUY'],
      ['btc_usdt', 'buy'],
      ['eth_usdt', 'SELL'],
    ] as const;
    const own = sides.map(([symbol, side], index) =>
      aTrade({ symbol, side, tradeId: String(index), time: String(now - hourMs), amount: '2' }),
    );
    const sums = (await read('trades', ledgerWith({ trades: own }))).ledger?.sums ?? [];
    const amounts = sums.filter(({ field }) => field === 'amount');
    assert.deepEqual(
      amounts.map(({ unit, bySide }) => [unit, bySide]),
      [
        ['btc_usdt', null],
        ['eth_usdt', { bought: '0', sold: '2' }],
      ],
    );
  });

  it('has no hidden figure, and neither a sum nor an order that would tell one', async () => {
    const display = aDisplay({ hidesMoney: true });
    const page = await read('trades', ledgerWith({ trades }), { ledger: feeFirst }, display);
    assert.doesNotMatch(JSON.stringify(page), /100000000000000/);
    assert.deepEqual(page.ledger?.sums, []);
    assert.deepEqual(
      column('trades', 'tradeId', page),
      trades.map(({ tradeId }) => tradeId).reverse(),
    );
  });

  it('says how many rows could not be sorted as numbers', async () => {
    const long = aTrade({ tradeId: '5', fee: `1${'0'.repeat(60)}` });
    const page = await read('trades', ledgerWith({ trades: [...trades, long] }), {
      ledger: feeFirst,
    });
    assert.match(page.notes.join(), /^1 row has too many digits/);
  });

  it('marks the rows that the exchange no longer lists, and says that sums leave them out', async () => {
    const ledger = ledgerWith({ trades });
    readAgain(trades.filter((_trade, index) => index !== 2));
    const page = await read('trades', ledger);
    assert.deepEqual(page.marks, [{ row: 1, label: 'no longer listed' }]);
    assert.deepEqual(page.notes, [
      'The exchange no longer lists 1 row. Sums and exports leave it out.',
    ]);
    const fees = page.ledger?.sums.filter(({ field, unit }) => field === 'fee' && unit === 'usdt');
    assert.deepEqual(
      fees?.map(({ sum }) => sum),
      ['1'],
    );
  });

  it('is behind the ledger once its history has changed', async () => {
    const reader = readerOf('trades', ledgerWith({ trades, orders: [] }));
    const { id } = await reader.read(query, new AbortController().signal);
    assert.equal(await reader.pageBehindLedger(), undefined);
    readAgain([], 'orders');
    assert.equal(await reader.pageBehindLedger(), undefined);
    readAgain(trades);
    assert.equal(await reader.pageBehindLedger(), id);
    await reader.read(query, new AbortController().signal);
    assert.equal(await reader.pageBehindLedger(), undefined);
  });

  it('names in the details of a row what it said before, and that it is no longer listed', async () => {
    const ledger = ledgerWith({ trades });
    const [, second] = trades;
    const changed = { ...(second ?? assert.fail()), amount: '7', extra: { note: '<b>new</b>' } };
    readAgain(trades.with(1, { ...changed, amount: '8', fee: '9' }));
    readAgain(trades.with(1, changed));
    readAgain(trades.filter((_trade, index) => index !== 1));
    const table = createTableDefinition('trades') as HistoryTable;
    const shown = { record: changed, filters: {}, history: 'trades' } as const;
    const [gone, before, first] = await pastOf(table, shown, ledger, aDisplay());
    assert.match(gone?.sentence ?? '', /^The exchange no longer lists this record: the read of /);
    assert.match(
      before?.sentence ?? '',
      /^Changed, according to the read of 2026-11-20 10:00:00 UTC\./,
    );
    const [{ fields, extra } = assert.fail()] = before?.records ?? [];
    assert.deepEqual(
      fields.map(({ field, cell }) => [field, cell]),
      [
        ['amount', '8'],
        ['fee', '9'],
      ],
    );
    assert.deepEqual(extra, []);
    assert.deepEqual(
      first?.records[0]?.fields.map(({ cell }) => cell),
      [second?.amount, second?.fee],
    );
    const ofExchange = { ...shown, history: null };
    assert.deepEqual(await pastOf(table, ofExchange, ledger, aDisplay()), []);
    ledger.failure = new LedgerError('busy');
    assert.deepEqual(await pastOf(table, shown, ledger, aDisplay()), []);
  });

  it('fails in one sentence if the ledger cannot be read, or is gone', async () => {
    const ledger = ledgerWith({ trades });
    ledger.failure = new LedgerError('damaged', 'SQLite 11');
    await assert.rejects(read('trades', ledger), {
      message: 'The ledger could not be read. The rows are those of the exchange.',
    });
    await assert.rejects(read('trades', noLedger as LedgerOfPanel), {
      message: 'This account has no ledger.',
    });
  });

  it('gives an export the count of the rows that are listed, and none of those that only a search found', async () => {
    const reader = readerOf('trades', ledgerWith({ trades }));
    readAgain(trades.filter((_trade, index) => index !== 2));
    const { totalElements } = await reader.read(query, new AbortController().signal);
    assert.deepEqual([totalElements, reader.exportSubject({})?.matchingRows], ['4', 3]);
    const searched = { ...query, ledger: { search: 'btc', sort: null } };
    await reader.read(searched, new AbortController().signal);
    assert.equal(reader.exportSubject({})?.matchingRows, undefined);
  });
});
