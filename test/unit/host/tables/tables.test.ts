import assert from 'node:assert/strict';
import { ExchangeConventions } from '../../../../src/exchange/history/exchangeConventions.ts';
import { clientKey } from '../../../../src/exchange/client.ts';
import { mask } from '../../../../src/base/display.ts';
import { always, openEnd } from '../../../../src/base/interval.ts';
import type { Snapshot } from '../../../../src/account/session/accountStore.ts';
import type { ActiveAccount } from '../../../../src/account/session/activeAccount.ts';
import {
  defaultConventions,
  type ApiConventions,
} from '../../../../src/exchange/history/apiConventions.ts';
import type { HistoryRequest } from '../../../../src/exchange/history/records.ts';
import { operations, type OperationName } from '../../../../src/api/operations.ts';
import { pageNotes } from '../../../../src/host/tables/exchangeRows.ts';
import { PanelRows } from '../../../../src/host/tables/panelRows.ts';
import { mostRelated } from '../../../../src/host/tables/relatedRecords.ts';
import { RowRequests } from '../../../../src/host/tables/rowDetails.ts';
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
import { assertApprovedLines } from '../../../support/approved.ts';
import { anAccount, anOrder, aPosition } from '../../../support/builders.ts';
import { aDisplay } from '../../../support/display.ts';
import type { Page } from '../../../../src/exchange/records.ts';
import { aHistoryPage } from '../../../support/historyPage.ts';
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

type ReaderOptions = {
  readonly snapshot?: Snapshot;
  readonly staleAgeMs?: number;
  readonly ledger?: typeof noLedger;
  /** What the answer says of itself. */
  readonly reply?: object;
  readonly conventions?: Partial<ApiConventions>;
  readonly hidesMoney?: boolean;
  /** By the clock of the exchange. */
  readonly now?: number;
};

/** A reader of a table at an exchange that always answers `value`, and the requests that it made. */
function readerOf(name: TableName, value: unknown, options: ReaderOptions = {}) {
  const { snapshot, ledger = noLedger, reply: said = {}, conventions = {} } = options;
  const { hidesMoney = false, now = 0, staleAgeMs } = options;
  const requests: HistoryRequest[] = [];
  const answer = () => Promise.resolve({ value, badRecords: [] });
  const history = (request: HistoryRequest) => {
    requests.push(request);
    const { content, ...totals } = value as Page<object>;
    const page = aHistoryPage(content, { total: totals.totalElements });
    return Promise.resolve({ ...page, totals, ...said });
  };
  const client = {
    history,
    exchangeInfo: answer,
    list: answer,
    serverNow: () => now,
    conventions: new ExchangeConventions({ ...defaultConventions, ...conventions }),
  };
  const session = {
    [clientKey]: client,
    reference: client,
    serverNow: () => 0,
    store: { state: { snapshot } },
    staleness: { staleAgeMs },
    exchangeInformation: { cached: undefined },
    refresher: { refresh: () => Promise.reject(new Error('not readable')) },
  };
  const active = { state: { kind: 'open', session }, session: () => Promise.resolve(session) };
  const reader = new PanelRows({
    name,
    table: createTableDefinition(name),
    clock: new FakeClock(),
    active: active as unknown as ActiveAccount,
    isVisible: () => true,
    ledger,
    display: { current: aDisplay({ hidesMoney }) } as unknown as DisplayState,
  });
  return { requests, reader };
}

function read(name: TableName, value: unknown, options?: ReaderOptions): Promise<TablePage> {
  return readerOf(name, value, options).reader.read(firstPage, new AbortController().signal);
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
    const { reader } = readerOf('leverageRules', rules, { snapshot });
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

    it('has a mask in place of each figure that privacy hides', async () => {
      const record = Object.fromEntries(fields.map((field) => [field, '98765432.1']));
      const answer = answerOf(name, [{ ...record, extra: {} }]);
      const { rows } = await read(name, answer, { hidesMoney: true });
      const hidden = columns.filter(({ field }) => aDisplay({ hidesMoney: true }).hides(field));
      const masked = columns.filter((_column, index) => rows[0]?.[index] === mask);
      assert.deepEqual(masked, hidden);
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

describe('what stands beside the rows of a reference table', () => {
  const account = (fields: Parameters<typeof anAccount>[0]): Snapshot => {
    const times = { asOf: 7, readAt: 7, sentAt: 7, answeredAt: 7 };
    return { account: anAccount(fields), directed: [], badRecords: [], ...times };
  };
  const tiers = ['0', '1', '2'].map((tier) => ({ tier }));
  const rules = ['4', '5'].map((leverage) => ({ leverage }));
  const positions = ['btc_usdt', 'eth_usdt'].map((symbol) =>
    aPosition({ symbol, leverage: '5.0' }),
  );
  const rateLimits = [
    { intervalNum: '1', limit: '1000', interval: 'MINUTE', rateLimitType: 'HARD_LIMIT' },
    { intervalNum: '2', limit: '9E3', interval: 'FORTNIGHT', rateLimitType: 'SOFT' },
  ];
  const information = { symbols: [], rateLimits, timezone: 'Mars/Olympus', serverTime: '5' };
  const bare = { ...information, rateLimits: [] };
  const ledgerWith = (ratesIn: string | null) => {
    const reader = { analyse: () => Promise.resolve({ ratesIn }) };
    return { ...noLedger, current: { reader } } as unknown as typeof noLedger;
  };
  const none = account({ positions: null, feeTierStructure: null });
  const tier = account({ feeTierStructure: '1.00', feeTierDiscount: '3' });
  const situations: readonly (readonly [string, TableName, unknown, ReaderOptions])[] = [
    ['every field of the exchange', 'exchangeInformation', information, {}],
    ['a tier', 'feeTiers', tiers, { snapshot: tier }],
    ['no tier in the account', 'feeTiers', tiers, { snapshot: none }],
    ['no account', 'feeTiers', tiers, {}],
    ['rates are shares', 'feeTiers', tiers, { ledger: ledgerWith('shares') }],
    ['rates are percent', 'feeTiers', tiers, { ledger: ledgerWith('percent') }],
    ['rates of an unknown unit', 'feeTiers', tiers, { ledger: ledgerWith(null) }],
    ['positions', 'leverageRules', rules, { snapshot: account({ positions }) }],
    ['no list of positions', 'leverageRules', rules, { snapshot: none }],
    ['old positions', 'leverageRules', rules, { snapshot: none, staleAgeMs: 190_000 }],
    ['nothing of the account', 'exchangeInformation', bare, { staleAgeMs: 190_000 }],
  ];

  it('is what the exchange, the account and the ledger say: a dash is unknown', async () => {
    const lines: string[] = [];
    for (const [situation, name, value, options] of situations) {
      const { marks, summary, notes } = await read(name, value, options);
      const cells = summary.flatMap(({ items }) =>
        items.map(({ label, cell }) => `${label}: ${cell ?? '—'}`),
      );
      const marked = marks.map(({ row, label }) => `row ${row} is ${label}`);
      lines.push(`${situation} | ${[...marked, ...cells, ...notes].join(' | ')}`);
    }
    assertApprovedLines('tables/reference', lines);
  });
});

describe('the notes above the rows of a history', () => {
  const page = {
    ignoredFilters: [],
    unproven: [],
    filteredHere: [],
    maxPageSize: null,
    outside: 0,
    filtered: 0,
  };
  const bySymbol = { parameter: 'symbol', rows: 3 };
  const byDate = { parameter: 'dateTo', rows: 6 };
  const answers: Readonly<Record<string, Partial<Parameters<typeof pageNotes>[0]>>> = {
    'as asked': { maxPageSize: 20 },
    'filters ignored': { outside: 7, ignoredFilters: [bySymbol, byDate] },
    'a row at the edge': { outside: 1 },
    'several rows at the edge': { outside: 2 },
    'other statuses': { filteredHere: ['statuses'], filtered: 6 },
    'no other statuses': { filteredHere: ['statuses'] },
    'dates not verified': { unproven: ['datesUndecided'] },
    'zone not known': { unproven: ['zoneUnknown'] },
    'smaller pages': { maxPageSize: 10 },
  };

  it('name what the exchange did not do as asked, and what is not verified', () => {
    const lines = Object.entries(answers).flatMap(([answer, fields]) =>
      pageNotes({ ...page, ...fields }, 20, aDisplay()).map((note) => `${answer}: ${note}`),
    );
    assertApprovedLines('tables/notes', lines);
  });
});

describe('the count of rows that an export is said to have', () => {
  const value = { content: [anOrder()], size: '20', totalPages: '2', totalElements: '40' };

  async function countWith(options: ReaderOptions): Promise<number | undefined> {
    const { reader } = readerOf('trades', value, options);
    await reader.read(firstPage, new AbortController().signal);
    return reader.exportSubject({})?.matchingRows;
  }

  it('is that of the exchange', async () => {
    assert.equal(await countWith({}), 40);
  });

  it('is unknown if the exchange counts other rows, or those of a part of the period', async () => {
    const ignoredFilters = [{ parameter: 'symbol', rows: 3 }];
    for (const reply of [
      { ignoredFilters },
      { question: { from: 0, to: 1 } },
      { filteredHere: ['statuses'] },
    ])
      assert.equal(await countWith({ reply }), undefined, JSON.stringify(reply));
    assert.equal(await countWith({ conventions: { maxRangeDays: 7 }, now: 1e12 }), undefined);
  });
});

describe('the search for what belongs to a row', () => {
  async function sentenceFor(count: number, total: string | null = null, omitted = 0) {
    const content = Array.from({ length: count + omitted }, (_none, index) =>
      anOrder({ orderId: String(index), time: String(index) }),
    );
    const value = { content, size: null, totalPages: null, totalElements: total };
    const { reader } = readerOf('orders', value, {
      reply: { question: { from: omitted, to: openEnd } },
    });
    const { signal } = new AbortController();
    const { id } = await reader.read(firstPage, signal);
    const options = { display: { latest: () => aDisplay() } };
    type Options = ConstructorParameters<typeof RowRequests>[1];
    const requests = new RowRequests(reader, options as unknown as Options);
    const found = await requests.handlers['table/related']({ pageId: id, row: 0 }, signal);
    return found.sentence;
  }

  it('says that it is a part if it got as many rows as one request returns', async () => {
    assert.match(await sentenceFor(mostRelated), /Only a part of that time was read/);
    assert.doesNotMatch(await sentenceFor(mostRelated - 1), /Only a part/);
    assert.match(await sentenceFor(3, '4'), /Only a part/);
    assert.doesNotMatch(await sentenceFor(3, '3'), /Only a part/);
    assert.doesNotMatch(await sentenceFor(3, '4', 1), /Only a part/);
  });
});
