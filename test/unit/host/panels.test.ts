import assert from 'node:assert/strict';
import { Histories } from '../../../src/account/histories.ts';
import type { Snapshot } from '../../../src/account/accountStore.ts';
import { Reference } from '../../../src/account/reference.ts';
import type { Session } from '../../../src/account/session.ts';
import type { ExchangeInformation } from '../../../src/exchange/records.ts';
import { defaultDialect } from '../../../src/exchange/dialect/dialect.ts';
import { TimeZone } from '../../../src/base/timeZone.ts';
import { ExchangeError } from '../../../src/exchange/errors.ts';
import { operations, type OperationName } from '../../../src/exchange/operations.ts';
import type { Cell, TableFilters, TableName, TablePage } from '../../../src/protocol/table.ts';
import { draftOfDays, readDraft } from '../../../src/pages/table/draft.ts';
import type { Table, TableRows } from '../../../src/host/panels/table.ts';
import { anAccount, aPosition } from '../../support/builders.ts';
import { ampleLedger } from '../../support/exchangeClient.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { aDisplay } from '../../support/display.ts';
import { standInForVscode } from './panelsVscode.ts';

standInForVscode();
const { tableByName } = await import('../../../src/host/panels/tableByName.ts');
const { words } = await import('../pages/builders.ts');
const { periodOf } = await import('../../../src/host/panels/filterValues.ts');
const { offeredNames } = await import('../../../src/host/panels/offeredNames.ts');
const { tableFailure } = await import('../../../src/host/panels/tableFailure.ts');
const { pageNotes } = await import('../../../src/host/panels/pageNotes.ts');
const { linkTarget } = await import('../../../src/host/panels/openLink.ts');

type Expected = {
  readonly operation: OperationName;
  /** The record's fields and a value of each, in the order of the interface document. */
  readonly record: Readonly<Record<string, string | boolean | null>>;
};

/** Sections 2.2 to 2.5 and 2.7 to 2.9, field by field. */
const expected: Readonly<Record<TableName, Expected>> = {
  orders: {
    operation: 'orders',
    record: {
      symbol: 'btc_usdt',
      amount: '2',
      side: 'BUY',
      orderId: '9007199254740993',
      price: null,
      clientOrderId: null,
      averageExecutionPrice: '49999.5',
      filled: '1',
      time: '1763632800123',
      type: 'MARKET',
      status: 'PENDING',
    },
  },
  trades: {
    operation: 'trades',
    record: {
      tradeId: '9007199254740993',
      orderId: '9007199254740995',
      symbol: 'btc_usdt',
      amount: '0.50',
      price: '50000',
      side: 'SELL',
      maker: true,
      fee: '-1E-7',
      rpnl: '-3.25',
      feeAsset: 'usdt',
      type: 'ORDER_BOOK',
      time: '1763632800123',
    },
  },
  lots: {
    operation: 'lots',
    record: {
      lotId: '1',
      symbol: 'btc_usdt',
      side: 'BUY',
      amount: '2',
      totalBids: '7',
      averageLiquidationPrice: '49000',
      marginCallPrice: null,
      discount: '0.013',
      updatedAt: '1763632800123',
    },
  },
  transactions: {
    operation: 'transactions',
    record: {
      transactionId: '1',
      transactionUuid: null,
      asset: 'usdt',
      link: 'javascript:alert(1)',
      amount: '-1.10',
      type: 'REWARD',
      time: '1763632800123',
    },
  },
  exchangeInformation: {
    operation: 'exchangeInfo',
    record: {
      symbol: 'btc_usdt',
      marginAsset: 'usdt',
      baseAsset: 'BTC',
      pair: 'BTC/USDT',
      quoteAsset: 'usdt',
      status: 'HALTED',
    },
  },
  leverageRules: {
    operation: 'leverage',
    record: {
      leverage: '3',
      positionNotional: '1500000',
      maintenanceMargin: '16.6667',
      initialMargin: '33.3333',
    },
  },
  feeTiers: {
    operation: 'feeTiers',
    record: { tier: '1', maker: '-0.0001', volume30D: '100000', taker: '0.0005' },
  },
};

const names = { symbols: ['btc_usdt'], assets: ['usdt'] };
const firstPage = { filters: {}, page: 0, size: 20 };

/** A session whose client gives `value` for every operation, and keeps what it was asked. */
function sessionWith(value: unknown, state: unknown = {}) {
  const queries: unknown[] = [];
  const answer = (query: unknown) => {
    queries.push(query);
    return Promise.resolve({ value, badRecords: [], outside: 0, unmatched: [], undecided: [] });
  };
  const reads = Object.fromEntries(Object.keys(operations).map((name) => [name, answer]));
  const client = { ...reads, dialect: defaultDialect, serverNow: () => 0 };
  const refresher = { refresh: () => Promise.reject(new Error('not readable')) };
  const exchangeInformation = new Reference(async () => {
    queries.push('exchangeInfo');
    return Promise.resolve(value as ExchangeInformation);
  }, new FakeClock());
  const parts = { client, store: { state }, refresher, exchangeInformation };
  return { session: parts as unknown as Session, queries };
}

async function read(
  table: Table,
  session: Session,
  query: { filters: TableFilters; page: number; size: number } = firstPage,
): Promise<TableRows> {
  const histories = new Histories(session.client, ampleLedger());
  return table.read(
    { session, histories, display: aDisplay() },
    query,
    new AbortController().signal,
  );
}

/** The answer of an operation that holds this one record. */
function answerWith(name: TableName, record: unknown): unknown {
  if (name === 'exchangeInformation')
    return { symbols: [record], rateLimits: [], timezone: 'UTC', serverTime: '1' };
  if (name === 'leverageRules' || name === 'feeTiers') return [record];
  return { content: [record], size: '20', totalPages: '1', totalElements: '1' };
}

const tableNames = Object.keys(expected) as TableName[];

for (const name of tableNames) {
  const { operation, record } = expected[name];
  describe(`the table ${name}`, () => {
    const table = tableByName(name);
    const offered = table.filters(names);

    it('has a column for every field of its record, and no other', () => {
      const fields = table.columns.map(({ field }) => field);
      assert.deepEqual([...fields].sort(), Object.keys(record).sort());
      assert.equal(new Set(table.columns.map(({ label }) => label)).size, fields.length);
    });

    it('has a filter for every parameter of its operation but those of the pager', () => {
      const parameters = Object.keys(operations[operation].parameters);
      const pager = table.pageSizes.length > 0 ? ['page', 'size'] : [];
      const all = [...offered.map(({ parameter }) => parameter), ...pager];
      assert.deepEqual([...all].sort(), [...parameters].sort());
    });

    it('gives a record as the text of the wire, without what the interface does not name', async () => {
      const full = { ...record, extra: { secretField: 'hidden' } };
      const { rows } = await read(table, sessionWith(answerWith(name, full)).session);
      const shown = table.columns.map(({ field }, index) => [field, rows[0]?.[index]]);
      const wire = Object.entries(record).map(([field, value]): [string, Cell] => [
        field,
        typeof value === 'boolean' ? String(value) : value,
      ]);
      assert.deepEqual(Object.fromEntries(shown), Object.fromEntries(wire));
    });
  });
}

describe('the units of the tables', () => {
  it('are stated for two margins and nothing else', () => {
    const columns = tableNames.flatMap((name) => tableByName(name).columns);
    const percent = columns.filter(({ kind }) => kind === 'percent').map(({ field }) => field);
    assert.deepEqual(percent, ['maintenanceMargin', 'initialMargin']);
    for (const { label } of columns) assert.doesNotMatch(label, /%|usd/i);
  });
});

describe('what a history table asks the exchange', () => {
  const period = {
    dateFrom: '2026-11-20T10:00:00.000Z',
    dateTo: '2026-11-21T10:00:00.000Z',
  };
  /** The second that is named as the end belongs to the period, which is half-open. */
  const asked = { dateFrom: 1795168800000, dateTo: 1795255201000, page: 3, size: 50 };
  const all: Partial<Record<TableName, TableFilters>> = {
    orders: { symbol: 'x', type: 'LIMIT', side: 'BUY', statuses: ['CANCELED', 'EXECUTED'] },
    trades: { symbol: 'x', side: 'BUY' },
    lots: { symbol: 'x', side: 'SELL' },
    transactions: { accountType: 'SPOT', type: 'REWARD', asset: 'usdt' },
  };
  const empty = { content: [], size: '50', totalPages: '0', totalElements: '0' };

  for (const [name, filters] of Object.entries(all)) {
    it(`is every filter of ${name} as it stands`, async () => {
      const { session, queries } = sessionWith(empty);
      const table = tableByName(name as TableName);
      await read(table, session, { filters: { ...filters, ...period }, page: 3, size: 50 });
      assert.deepEqual(queries, [{ ...asked, ...filters }]);
    });

    it(`is no filter of ${name} that is not set`, async () => {
      const { session, queries } = sessionWith(empty);
      await read(tableByName(name as TableName), session);
      const set = Object.entries(queries[0] as object).filter(([, value]) => value !== undefined);
      const always = name === 'transactions' ? { accountType: 'FUTURE' } : {};
      assert.deepEqual(Object.fromEntries(set), { ...always, page: 0, size: 20 });
    });

    it(`is nothing at all where a date of ${name} is none`, async () => {
      const { session, queries } = sessionWith(empty);
      const query = { ...firstPage, filters: { dateTo: 'yesterday' } };
      await assert.rejects(read(tableByName(name as TableName), session, query), {
        name: 'SentenceError',
      });
      assert.deepEqual(queries, []);
    });
  }
});

describe('the filters of the histories', () => {
  const filterOf = (name: TableName, parameter: string) =>
    tableByName(name)
      .filters(names)
      .find((filter) => filter.parameter === parameter);

  it('offer the names that there are, and the values of the document', () => {
    for (const name of ['orders', 'trades', 'lots'] as const)
      assert.deepEqual(filterOf(name, 'symbol')?.options, names.symbols);
    assert.deepEqual(filterOf('transactions', 'asset')?.options, names.assets);
    assert.equal(filterOf('transactions', 'type')?.options.length, 9);
    assert.deepEqual(filterOf('orders', 'statuses')?.options, [
      'PARTIALLY_EXECUTED',
      'EXECUTED',
      'CANCELED',
      'LIQUIDATED',
    ]);
  });

  it('have the account type as a switch that begins with FUTURE', () => {
    const filter = filterOf('transactions', 'accountType');
    assert.equal(filter?.kind, 'switch');
    assert.deepEqual(filter.options, ['FUTURE', 'SPOT']);
  });
});

describe('the last days that the filter bar fills in', () => {
  const filters = tableByName('orders').filters({ symbols: [], assets: [] });

  /** What the exchange is asked for, as ISO instants to the second: the first that belongs to it, and the first that does not. */
  function periodOfDays(count: number, now: string, zoneName: string): string {
    const zone = new TimeZone(zoneName);
    const draft = draftOfDays({}, count, Date.parse(now), zone);
    const read = readDraft(draft, { filters, zone, sent: {}, words });
    const { dateFrom = NaN, dateTo = NaN } = periodOf(read.filters ?? {});
    return [dateFrom, dateTo]
      .map((epochMs) => new Date(epochMs).toISOString().replace(/\.000Z$/, ''))
      .join(' ');
  }

  for (const [what, zone, now, firsts, next] of [
    [
      'in UTC',
      'UTC',
      '2026-01-15T10:30Z',
      ['2026-01-15T00', '2026-01-09T00', '2025-12-17T00', '2025-10-18T00'],
      '2026-01-16T00:00:00',
    ],
    [
      'at UTC−8, with the end of summer time in the last 90',
      'America/Los_Angeles',
      '2026-01-15T10:30Z',
      ['2026-01-15T08', '2026-01-09T08', '2025-12-17T08', '2025-10-18T07'],
      '2026-01-16T08:00:00',
    ],
    [
      'at UTC+14, where it is a day later',
      'Pacific/Kiritimati',
      '2026-01-15T10:30Z',
      ['2026-01-15T10', '2026-01-09T10', '2025-12-17T10', '2025-10-18T10'],
      '2026-01-16T10:00:00',
    ],
    [
      'on a day of 23 hours',
      'Europe/Berlin',
      '2026-03-29T12:00Z',
      ['2026-03-28T23', '2026-03-22T23', '2026-02-27T23', '2025-12-29T23'],
      '2026-03-29T22:00:00',
    ],
    [
      'on a day of 25 hours',
      'America/New_York',
      '2026-11-01T12:00Z',
      ['2026-11-01T04', '2026-10-26T04', '2026-10-03T04', '2026-08-04T04'],
      '2026-11-02T05:00:00',
    ],
  ] as const)
    it(`are asked for half-open ${what}: they end where tomorrow begins`, () => {
      const asked = [1, 7, 30, 90].map((count) => periodOfDays(count, now, zone));
      assert.deepEqual(
        asked,
        firsts.map((first) => `${first}:00:00 ${next}`),
      );
    });

  it('lose no hour where the clocks go back at midnight', () => {
    for (const [count, first] of [
      [1, '2026-10-23T21'],
      [7, '2026-10-17T21'],
      [30, '2026-09-24T21'],
      [90, '2026-07-26T21'],
    ] as const)
      assert.equal(
        periodOfDays(count, '2026-10-24T12:00Z', 'Asia/Beirut'),
        `${first}:00:00 2026-10-24T22:00:01`,
      );
  });
});

describe('what stands above the reference tables', () => {
  it('is server time, zone and every field of every rate limit, known or not', async () => {
    const limits = [
      { intervalNum: '1', limit: '1000', interval: 'MINUTE', rateLimitType: 'HARD_LIMIT' },
      { intervalNum: '2', limit: '9E3', interval: 'FORTNIGHT', rateLimitType: 'SOFT' },
    ];
    const information = {
      symbols: [],
      rateLimits: limits,
      timezone: 'Mars/Olympus',
      serverTime: '5',
    };
    const { facts } = await read(
      tableByName('exchangeInformation'),
      sessionWith(information).session,
    );
    const values = facts.map((group) =>
      Object.fromEntries(group.facts.map(({ field, cell }) => [field, cell])),
    );
    assert.deepEqual(values, [{ serverTime: '5', timezone: 'Mars/Olympus' }, ...limits]);
  });

  const tiers = ['0', '1', '2'].map((tier) => ({ ...expected.feeTiers.record, tier }));
  const factsOf = ({ facts }: Pick<TablePage, 'facts'>) => facts.flatMap((group) => group.facts);
  const partOf = async (name: TableName, value: unknown, snapshot: Snapshot | undefined) => {
    const table = tableByName(name);
    const { rows } = await read(table, sessionWith(value).session);
    return table.ofAccount?.(rows, snapshot, aDisplay()) ?? assert.fail('nothing of the account');
  };

  it('is the account’s fee tier, whose row is marked', async () => {
    const account = anAccount({ feeTierStructure: '1', feeTierDiscount: '3' });
    const part = await partOf('feeTiers', tiers, { account, badRecords: [], asOf: 7 });
    assert.deepEqual(part.marks, [{ row: 1, label: 'this account' }]);
    assert.deepEqual(
      factsOf(part).map(({ cell }) => cell),
      ['1', '3', 'usdt', '7'],
    );
  });

  it('marks the leverage rules of the open positions with their symbols', async () => {
    const rules = ['4', '5'].map((leverage) => ({ ...expected.leverageRules.record, leverage }));
    const positions = ['btc_usdt', 'eth_usdt'].map((symbol) =>
      aPosition({ symbol, leverage: '5' }),
    );
    const account = anAccount({ positions });
    const part = await partOf('leverageRules', rules, { account, badRecords: [], asOf: 7 });
    assert.deepEqual(
      factsOf(part).map(({ cell }) => cell),
      ['7'],
    );
    assert.deepEqual(part.marks, [{ row: 1, label: 'btc_usdt, eth_usdt' }]);
  });

  it('marks them whatever zeros stand behind the point of a whole number', async () => {
    const rules = ['4', '5'].map((leverage) => ({ ...expected.leverageRules.record, leverage }));
    const positions = [aPosition({ leverage: '5.0' })];
    const account = anAccount({ positions, feeTierStructure: '1.00' });
    const snapshot = { account, badRecords: [], asOf: 7 };
    const { marks } = await partOf('leverageRules', rules, snapshot);
    assert.deepEqual(marks, [{ row: 1, label: 'btc_usdt' }]);
    assert.equal((await partOf('feeTiers', tiers, snapshot)).marks.length, 1);
  });

  it('is unknown, and no row is marked, where the account cannot be read', async () => {
    const part = await partOf('feeTiers', tiers, undefined);
    assert.deepEqual(part.marks, []);
    assert.deepEqual(
      factsOf(part).map(({ cell }) => cell),
      [null, null, null, null],
    );
  });
});

describe('the names that filters offer', () => {
  const symbols = [
    { symbol: 'btc_usdt', marginAsset: 'usdt', quoteAsset: 'usdt' },
    { symbol: 'sol_eth', marginAsset: 'usdc', quoteAsset: 'eth' },
  ];

  it('are the account’s and the exchange’s, each once', async () => {
    const state = { snapshot: { account: anAccount() } };
    const { session, queries } = sessionWith({ symbols }, state);
    assert.deepEqual(await offeredNames(session), {
      symbols: ['btc_usdt', 'sol_eth'],
      assets: ['usdt', 'usdc', 'eth'],
    });
    await offeredNames(session);
    assert.equal(queries.length, 1);
  });

  it('are none that no filter could hold', async () => {
    const odd = ['', 'x'.repeat(201)].map((symbol) => ({
      symbol,
      marginAsset: symbol,
      quoteAsset: 'usdt',
    }));
    const { session } = sessionWith({ symbols: odd });
    assert.deepEqual(await offeredNames(session), { symbols: [], assets: ['usdt'] });
  });

  it('are read again after a failure', async () => {
    let calls = 0;
    const exchangeInfo = () => {
      calls += 1;
      return calls === 1
        ? Promise.reject(new Error('network'))
        : Promise.resolve({ symbols } as unknown as ExchangeInformation);
    };
    const exchangeInformation = new Reference(exchangeInfo, new FakeClock());
    const session = { exchangeInformation, store: { state: {} } } as unknown as Session;
    assert.deepEqual(await offeredNames(session), { symbols: [], assets: [] });
    assert.deepEqual((await offeredNames(session)).symbols, ['btc_usdt', 'sol_eth']);
  });
});

describe('why a page gets no rows', () => {
  const now = 1_000_000;

  it('has the kind of the failure, a sentence that names the table, and when to try again', () => {
    const failure = { kind: 'rateLimited', sent: 'yes', operation: 'lots', status: 429 } as const;
    const told = tableFailure(
      new ExchangeError({ ...failure, retryAfterMs: 2500 }),
      now,
      aDisplay(),
    );
    assert.equal(told.kind, 'rateLimited');
    assert.match(told.sentence, /reading the liquidation lots \(HTTP 429\)/);
    assert.equal(told.retryAt, now + 2500);
    assert.equal(tableFailure(new ExchangeError(failure), now, aDisplay()).retryAt, now + 60_000);
    const refused = new ExchangeError({ ...failure, kind: 'refused' });
    assert.equal(tableFailure(refused, now, aDisplay()).retryAt, undefined);
  });

  it('is no text of an error that nobody expected', () => {
    const told = tableFailure(new Error('secret detail'), now, aDisplay());
    assert.deepEqual(Object.keys(told), ['kind', 'sentence']);
    assert.doesNotMatch(told.sentence, /secret/);
  });
});

describe('where a link leads', () => {
  it('is an https address, with its host in ASCII and nothing hidden in it', () => {
    const target = linkTarget('https://ex\u00e4mple.com:8443/tx/a\u202eb?q=1', aDisplay());
    assert.equal(target.host, 'xn--exmple-cua.com:8443');
    assert.equal(target.href, 'https://xn--exmple-cua.com:8443/tx/a%E2%80%AEb?q=1');
  });

  for (const [what, link, reason] of [
    ['http', 'http://host.example/', /no https address/],
    ['a command', 'command:workbench.action.quit', /no https address/],
    ['a script behind a line break', 'java\nscript:alert(1)', /no https address/],
    ['a file', 'file:///etc/passwd', /no https address/],
    ['no address', '[x](command:quit)', /no https address/],
    ['a user', 'https://bank.example@evil.example/', /names a user/],
    ['a password only', 'https://:secret@evil.example/', /names a user/],
    ['a very long address', `https://host.example/${'x'.repeat(2000)}`, /longer than 2,000/],
  ] as const) {
    it(`is nowhere for ${what}`, () => {
      assert.throws(() => linkTarget(link, aDisplay()), { name: 'SentenceError', message: reason });
    });
  }
});

describe('what stands over the rows of a history', () => {
  const page = {
    ...{ slices: 1, weight: 10, outside: 0, largest: null },
    ...{ unmatched: [], undecided: [] },
  };
  const notesOf = (fields: object) =>
    pageNotes(
      { ...page, ...fields } as unknown as Parameters<typeof pageNotes>[0],
      firstPage,
      aDisplay(),
    );

  it('is nothing where the exchange did as it was asked', () => {
    assert.deepEqual(notesOf({ largest: 20 }), []);
  });

  it('names every filter that was not heeded, and what was left out', () => {
    assert.deepEqual(
      notesOf({
        outside: 7,
        unmatched: [
          { parameter: 'symbol', rows: 3 },
          { parameter: 'dateTo', rows: 6 },
        ],
      }),
      [
        'The exchange did not heed the filter symbol: 3 rows of this page do not match it.',
        'The exchange did not heed dateTo: 6 rows of this page lay outside the period and are left out.',
      ],
    );
    assert.deepEqual(notesOf({ outside: 1 }), [
      '1 row at the edge of the period was answered and left out.',
    ]);
  });

  it('is what is undecided of how it was asked', () => {
    const [lists, dates, zone, ...others] = notesOf({
      undecided: ['listsUndecided', 'datesUndecided', 'zoneUnknown'],
    });
    assert.match(lists ?? '', /several statuses: rows of some may be missing/);
    assert.match(dates ?? '', /reads dates: rows of this period may be missing/);
    assert.match(zone ?? '', /written in UTC: rows of this period may be missing/);
    assert.deepEqual(others, []);
  });

  it('is what a long period cost, and how large a page is', () => {
    assert.deepEqual(notesOf({ slices: 3, weight: 30, largest: 10 }), [
      'Cost 30 of the limit’s weight: the exchange takes no longer period, so it was asked in 3 slices.',
      'The exchange gives at most 10 rows a page.',
    ]);
  });
});
