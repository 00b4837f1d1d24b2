import assert from 'node:assert/strict';
import { always } from '../../../../src/base/interval.ts';
import type { Snapshot } from '../../../../src/account/session/accountStore.ts';
import type { ActiveAccount } from '../../../../src/account/session/activeAccount.ts';
import { TimeZone } from '../../../../src/base/timeZone.ts';
import { defaultConventions } from '../../../../src/exchange/conventions/apiConventions.ts';
import type { HistoryRequest } from '../../../../src/exchange/history/historyRecords.ts';
import { operations, type OperationName } from '../../../../src/api/operations.ts';
import { pageNotes } from '../../../../src/host/tables/exchangeRows.ts';
import { PanelRows } from '../../../../src/host/tables/panelRows.ts';
import { withSymbolUnits } from '../../../../src/host/tables/definition.ts';
import { filtersOf } from '../../../../src/host/tables/histories.ts';
import { createTableDefinition } from '../../../../src/host/tables/tables.ts';
import { firstActiveOf } from '../../../../src/pages/table/state/shownRows.ts';
import type { DisplayState } from '../../../../src/host/settings/displayState.ts';
import {
  tableNames,
  type TableFilters,
  type TableName,
  type TablePage,
  type TableQuery,
} from '../../../../src/protocol/table.ts';
import { anAccount, aPosition } from '../../../support/builders.ts';
import { aDisplay } from '../../../support/display.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { noLedger } from '../../../support/panelLedger.ts';

/** Sections 2.2 to 2.5 and 2.7 to 2.9: the operation of each table and every field of its records. */
const documented: Readonly<Record<TableName, readonly [OperationName, fields: string]>> = {
  orders: [
    'orders',
    'symbol amount side orderId price clientOrderId averageExecutionPrice filled time type status',
  ],
  trades: ['trades', 'tradeId orderId symbol amount price side maker fee rpnl feeAsset type time'],
  lots: [
    'lots',
    'lotId symbol side amount totalBids averageLiquidationPrice marginCallPrice discount updatedAt',
  ],
  transactions: ['transactions', 'transactionId transactionUuid asset link amount type time'],
  exchangeInformation: ['exchangeInfo', 'symbol marginAsset baseAsset pair quoteAsset status'],
  leverageRules: ['leverage', 'leverage positionNotional maintenanceMargin initialMargin'],
  feeTiers: ['feeTiers', 'tier maker volume30D taker'],
};

const firstPage: TableQuery = { filters: {}, page: 0, size: 20 };
const suggestions = { symbols: ['btc_usdt'], assets: ['usdt'] };

function filtersIn(name: TableName) {
  const table = createTableDefinition(name);
  return table.kind === 'history' ? filtersOf(table, suggestions) : [];
}

/** What the exchange answers to the operation of a table with these records. */
function answerOf(name: TableName, records: readonly object[]): unknown {
  if (name === 'leverageRules' || name === 'feeTiers') return records;
  if (name === 'exchangeInformation')
    return { symbols: records, rateLimits: [], timezone: 'UTC', serverTime: '1' };
  return { content: records, size: '20', totalPages: '1', totalElements: '1' };
}

/** A reader of a table at an exchange that always answers `value`, and the requests that it made. */
function readerOf(name: TableName, value: unknown, snapshot?: Snapshot) {
  const requests: HistoryRequest[] = [];
  const reply = { value, badRecords: [], rowsOutsidePeriod: 0, ignoredFilters: [], unproven: [] };
  const answer = () => Promise.resolve(reply);
  const history = (request: HistoryRequest) => {
    requests.push(request);
    return answer();
  };
  const client = {
    history,
    exchangeInfo: answer,
    list: answer,
    serverNow: () => 0,
    conventions: {
      current: defaultConventions,
      zone: new TimeZone('UTC'),
      maxPageSize: () => null,
    },
  };
  const session = {
    client,
    reference: client,
    serverNow: () => 0,
    store: { state: { snapshot } },
    staleness: {},
    refresher: { refresh: () => Promise.reject(new Error('not readable')) },
  };
  const active = { state: { kind: 'open', session }, session: () => Promise.resolve(session) };
  const reader = new PanelRows({
    name,
    table: createTableDefinition(name),
    clock: new FakeClock(),
    active: active as unknown as ActiveAccount,
    isVisible: () => true,
    ledger: noLedger,
    display: { current: aDisplay() } as unknown as DisplayState,
  });
  return { requests, reader };
}

function read(
  name: TableName,
  value: unknown,
  { query = firstPage, snapshot }: { query?: TableQuery; snapshot?: Snapshot } = {},
): Promise<TablePage> {
  return readerOf(name, value, snapshot).reader.read(query, new AbortController().signal);
}

describe('the row that a command asks for', () => {
  const rules = ['1', '5'].map((leverage) => ({
    leverage,
    positionNotional: '1',
    maintenanceMargin: '1',
    initialMargin: '2',
    extra: {},
  }));
  const position = aPosition({ leverage: '5' });
  const snapshot = {
    account: anAccount({ positions: [position] }),
    asOf: 0,
    readAt: 0,
  } as Snapshot;

  async function startAt(text: string): Promise<TablePage> {
    const { reader } = readerOf('leverageRules', rules, snapshot);
    const startAt = { fields: { leverage: text }, missing: 'No rule for 12× is listed.' };
    reader.update({ pending: {}, startAt });
    return reader.read(firstPage, new AbortController().signal);
  }

  it('is where the page starts', async () => {
    const { startRow, notes } = await startAt('5.0');
    assert.deepEqual([startRow, notes], [1, []]);
  });

  it('is said to be missing, and no row of another position takes its place', async () => {
    const page = await startAt('12');
    assert.deepEqual([page.startRow, page.notes], [null, ['No rule for 12× is listed.']]);
    assert.equal(firstActiveOf(page), 0);
  });
});

for (const name of tableNames) {
  const [operation, fieldText] = documented[name];
  const fields = fieldText.split(' ');
  describe(`the table ${name}`, () => {
    const { columns, kind } = createTableDefinition(name);

    it('has one column for each field of its records', () => {
      assert.deepEqual(columns.map(({ field }) => field).toSorted(), fields.toSorted());
      assert.equal(new Set(columns.map(({ label }) => label)).size, fields.length);
    });

    it('has the unit of its figures in a column, without which they are not added up', () => {
      const units = withSymbolUnits(columns, []).flatMap(({ unitField }) => unitField ?? []);
      assert.deepEqual(
        units.filter((unit) => columns.every(({ field }) => field !== unit)),
        [],
      );
    });

    it('has one filter for each parameter of its operation, except for page and size', () => {
      const filters = filtersIn(name).map(({ parameter }) => parameter);
      const paging = kind === 'history' ? ['page', 'size'] : [];
      const parameters = Object.keys(operations[operation].parameters);
      assert.deepEqual([...filters, ...paging].toSorted(), parameters.toSorted());
    });

    it('shows each field as the exchange wrote it, and no field that is not documented', async () => {
      const unusual = ['9007199254740993', '-1E-7', '0.50', 'javascript:alert(1)', true, null];
      const values = fields.map((field, index) => [field, unusual[index] ?? `a ${field}`] as const);
      const record = { ...Object.fromEntries(values), extra: { secretField: 'hidden' } };
      const { rows } = await read(name, answerOf(name, [record]));
      const shown = columns.map(({ field }, index) => [field, rows[0]?.[index]]);
      const texts = values.map(([field, value]) => [field, value === true ? 'true' : value]);
      assert.deepEqual(Object.fromEntries(shown), Object.fromEntries(texts));
    });
  });
}

it('only two margins have a unit', () => {
  const columns = tableNames.flatMap((name) => createTableDefinition(name).columns);
  const percent = columns.filter(({ kind }) => kind === 'percent').map(({ field }) => field);
  assert.deepEqual(percent, ['maintenanceMargin', 'initialMargin']);
  for (const { label } of columns) assert.doesNotMatch(label, /%|usd/i);
});

describe('the request of a history table', () => {
  const dates = { dateFrom: '2026-11-20T10:00:00.000Z', dateTo: '2026-11-21T10:00:00.000Z' };
  /** Half-open: the second of the end belongs to the period. */
  const period = { from: 1795168800000, to: 1795255201000 };
  const all: Partial<Record<TableName, TableFilters>> = {
    orders: { symbol: 'x', type: 'LIMIT', side: 'BUY', statuses: ['CANCELED', 'EXECUTED'] },
    trades: { symbol: 'x', side: 'BUY' },
    lots: { symbol: 'x', side: 'SELL' },
    transactions: { accountType: 'SPOT', type: 'REWARD', asset: 'usdt' },
  };

  for (const [name, filters] of Object.entries(all) as [TableName, TableFilters][]) {
    async function requestsOf(query: TableQuery): Promise<HistoryRequest[]> {
      const { reader, requests } = readerOf(name, answerOf(name, []));
      await reader.read(query, new AbortController().signal);
      return requests;
    }

    it(`has every filter of ${name}`, async () => {
      const query = { filters: { ...filters, ...dates }, page: 3, size: 50 };
      const expected = { operation: name, filters, period, page: 3, size: 50 };
      assert.deepEqual(await requestsOf(query), [expected]);
    });

    it(`has no filter of ${name} that is not set`, async () => {
      const [request] = await requestsOf(firstPage);
      const filters = name === 'transactions' ? { accountType: 'FUTURE' } : {};
      assert.deepEqual(JSON.parse(JSON.stringify(request?.filters)), filters);
      assert.deepEqual([request?.period, request?.page, request?.size], [always, 0, 20]);
    });

    it(`is not sent with an invalid date for ${name}`, async () => {
      const { reader, requests } = readerOf(name, answerOf(name, []));
      const query = { ...firstPage, filters: { dateTo: 'yesterday' } };
      const page = reader.read(query, new AbortController().signal);
      await assert.rejects(page, { name: 'UserFacingError' });
      assert.deepEqual(requests, []);
    });
  }
});

describe('the filters of the histories', () => {
  const optionsOf = (name: TableName, wanted: string) =>
    filtersIn(name).find(({ parameter }) => parameter === wanted)?.options;

  it('suggest the names of the account and the documented values', () => {
    for (const name of ['orders', 'trades', 'lots'] as const)
      assert.deepEqual(optionsOf(name, 'symbol'), suggestions.symbols);
    assert.deepEqual(optionsOf('transactions', 'asset'), suggestions.assets);
    assert.equal(optionsOf('transactions', 'type')?.length, 9);
    const statuses = ['PARTIALLY_EXECUTED', 'EXECUTED', 'CANCELED', 'LIQUIDATED'];
    assert.deepEqual(optionsOf('orders', 'statuses'), statuses);
  });

  it('have the account type as a switch that starts at FUTURE', () => {
    const [accountType] = filtersIn('transactions');
    assert.deepEqual([accountType?.kind, accountType?.options], ['switch', ['FUTURE', 'SPOT']]);
  });
});

describe('a newer query', () => {
  for (const name of ['orders', 'feeTiers'] as const)
    it(`aborts the older one: ${name}`, async () => {
      const { reader } = readerOf(name, answerOf(name, []));
      const older = reader.read(firstPage, new AbortController().signal);
      const newer = reader.read({ ...firstPage, page: 1 }, new AbortController().signal);
      await assert.rejects(older, { name: 'AbortError' });
      assert.deepEqual((await newer).id, 1);
    });

  it('is aborted by the page, and when the account changes', async () => {
    const { reader } = readerOf('orders', answerOf('orders', []));
    await assert.rejects(reader.read(firstPage, AbortSignal.abort()), { name: 'AbortError' });
    const running = reader.read(firstPage, new AbortController().signal);
    reader.forget(false);
    await assert.rejects(running, { name: 'AbortError' });
    assert.equal(reader.shownRows, null);
  });
});

describe('the figures beside the reference tables', () => {
  const cellsOf = ({ summary }: TablePage) =>
    summary.flatMap(({ items }) => items.map(({ cell }) => cell));
  const snapshotOf = (fields: Parameters<typeof anAccount>[0]): Snapshot => ({
    account: anAccount(fields),
    directed: [],
    badRecords: [],
    asOf: 7,
    readAt: 7,
    sentAt: 7,
    answeredAt: 7,
  });
  const tiers = ['0', '1', '2'].map((tier) => ({ tier }));
  const rules = ['4', '5'].map((leverage) => ({ leverage }));
  const at = (leverage: string) =>
    ['btc_usdt', 'eth_usdt'].map((symbol) => aPosition({ symbol, leverage }));

  it('are the time, the zone and every field of every rate limit', async () => {
    const rateLimits = [
      { intervalNum: '1', limit: '1000', interval: 'MINUTE', rateLimitType: 'HARD_LIMIT' },
      { intervalNum: '2', limit: '9E3', interval: 'FORTNIGHT', rateLimitType: 'SOFT' },
    ];
    const server = { timezone: 'Mars/Olympus', serverTime: '5' };
    const { summary } = await read('exchangeInformation', { symbols: [], rateLimits, ...server });
    const groups = summary.map(({ items }) =>
      Object.fromEntries(items.map(({ field, cell }) => [field, cell])),
    );
    assert.deepEqual(groups, [server, ...rateLimits]);
  });

  it('are the account’s fee tier, whose row is marked', async () => {
    const snapshot = snapshotOf({ feeTierStructure: '1', feeTierDiscount: '3' });
    const page = await read('feeTiers', tiers, { snapshot });
    assert.deepEqual(page.marks, [{ row: 1, label: 'this account' }]);
    assert.deepEqual(cellsOf(page), ['1', '3', 'usdt', '7']);
  });

  it('name the symbols of the open positions at their leverage rule', async () => {
    const snapshot = snapshotOf({ positions: at('5') });
    const page = await read('leverageRules', rules, { snapshot });
    assert.deepEqual(page.marks, [{ row: 1, label: 'btc_usdt, eth_usdt' }]);
    assert.deepEqual(cellsOf(page), ['7']);
  });

  it('mark a row even if the account writes the number with trailing zeros', async () => {
    const snapshot = snapshotOf({ positions: at('5.0'), feeTierStructure: '1.00' });
    for (const [name, rows] of [['leverageRules', rules] as const, ['feeTiers', tiers] as const]) {
      const { marks } = await read(name, rows, { snapshot });
      const found = marks.map(({ row }) => row);
      assert.deepEqual(found, [1], name);
    }
  });

  it('are unknown when the account lacks them, and no row is marked', async () => {
    const snapshot = snapshotOf({ positions: null, feeTierStructure: null });
    const leverage = await read('leverageRules', rules, { snapshot });
    assert.deepEqual([leverage.marks, cellsOf(leverage)], [[], [null, '7']]);
    const fees = await read('feeTiers', tiers, { snapshot });
    assert.deepEqual([fees.marks, cellsOf(fees)], [[], [null, '0', 'usdt', '7']]);
  });

  it('are unknown if the account cannot be read, and no row is marked', async () => {
    const page = await read('feeTiers', tiers);
    assert.deepEqual([page.marks, cellsOf(page)], [[], [null, null, null, null]]);
  });
});

describe('the notes above the rows of a history', () => {
  const page = { sent: [], badRecords: [], rowsOutsidePeriod: 0, ignoredFilters: [], unproven: [] };
  const notesOf = (fields: Partial<Parameters<typeof pageNotes>[0]>) =>
    pageNotes({ ...page, maxPageSize: null, ...fields }, 20, aDisplay());

  it('are none if the exchange applied the request', () => {
    assert.deepEqual(notesOf({ maxPageSize: 20 }), []);
  });

  it('name each filter that the exchange ignored, and how many rows are left out', () => {
    const ignoredFilters = [
      { parameter: 'symbol', rows: 3 },
      { parameter: 'dateTo', rows: 6 },
    ];
    assert.deepEqual(notesOf({ rowsOutsidePeriod: 7, ignoredFilters }), [
      'The exchange ignored the filter symbol: 3 rows of this page do not match it.',
      'The exchange ignored dateTo: 6 rows of this page are outside the period and left out.',
    ]);
    const edge = '1 row at the edge of the period is left out.';
    assert.deepEqual(notesOf({ rowsOutsidePeriod: 1 }), [edge]);
  });

  it('say how many rows of other statuses are left out, also if there are none', () => {
    for (const rows of [0, 6])
      assert.match(
        notesOf({ rowsFilteredHere: rows }).join('\n'),
        new RegExp(`^Rows with other statuses are left out here, ${rows} on this page; .+“lists”`),
      );
  });

  it('say what is not verified about the API', () => {
    const notes = notesOf({ unproven: ['datesUndecided', 'zoneUnknown'] });
    const expected = [/date format .+ may be missing/, /in UTC: .+ may be missing/];
    assert.equal(notes.length, expected.length);
    for (const [index, text] of expected.entries()) assert.match(notes[index] ?? '', text);
  });

  it('name the largest page of the exchange', () => {
    const note = 'The exchange returns at most 10 rows per page.';
    assert.deepEqual(notesOf({ maxPageSize: 10 }), [note]);
  });
});
