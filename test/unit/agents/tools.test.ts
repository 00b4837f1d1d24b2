import assert from 'node:assert/strict';
import { sum } from '../../../src/base/decimal.ts';
import { summarize } from '../../../src/agents/figureTools.ts';
import { checkAccount } from '../../../src/agents/checkTools.ts';
import { explainOrder, findRecords, getCoverage } from '../../../src/agents/recordTools.ts';
import { accountTools } from '../../../src/agents/service.ts';
import { listedTools } from '../../../src/agents/toolList.ts';
import { sumsView } from '../../../src/host/analysis/sums.ts';
import { LedgerClient } from '../../../src/ledger/ledgerClient.ts';
import { recordJson } from '../../../src/ledger/storage/recordLines.ts';
import { verdictCounts } from '../../../src/ledger/reconciliation/contradictions.ts';
import { parseReport } from '../../../src/ledger/reconciliation/reportJson.ts';
import {
  agentsOfEachTest,
  practiceContent,
  practiceDays,
  type PracticeAnswer,
} from '../../support/agentsUnderTest.ts';
import { factsOf } from '../../../src/ledger/analysis/analysis.ts';
import { dayMs } from '../../../src/base/time.ts';
import { takersPay } from '../../support/auditedFees.ts';
import { analysisOf } from '../../support/analysedLedger.ts';
import { anOrder, aTrade, aTransaction, unknownFees } from '../../support/builders.ts';
import { aDisplay } from '../../support/display.ts';
import { aQuery, ledgerWorkerFile } from '../../support/ledgerUnderTest.ts';

const october = { from: '2026-10-01T00:00:00Z', to: '2026-10-11T00:00:00Z' };
const period = practiceDays;

describe('the tools of agents over the practice ledger', () => {
  let reader: LedgerClient | undefined;
  // Before its folder is removed.
  afterEach(() => reader?.close());
  const agents = agentsOfEachTest();

  it('say in all what they do in at most 8,000 characters, and that they only read', () => {
    const tools = listedTools();
    assert.ok(tools.length <= 9);
    const asked = tools.map(({ name, description, inputSchema }) => [
      name,
      description,
      inputSchema,
    ]);
    assert.ok(JSON.stringify(asked).length <= 8000);
    for (const { annotations, inputSchema } of tools) {
      assert.deepEqual(annotations, {
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      });
      assert.equal((inputSchema as { additionalProperties?: boolean }).additionalProperties, false);
    }
  });

  it('summarise as the pages do, digit for digit', async () => {
    const ledger = agents.ledger(practiceContent());
    for (const view of ['realizedPl', 'fees', 'funding', 'cashFlow'] as const)
      for (const splitBy of factsOf(view).splits) {
        const analysis = await analysisOf(ledger, view, { period, splitBy, now: Date.now() });
        const { rows = () => assert.fail() } = sumsView(analysis, splitBy, aDisplay());
        const { columns, rows: cells } = rows();
        const at = columns.findIndex(({ field }) => isFigure(field));
        const answered = await agents.askAll('summarize', {
          ...{ view, splitBy, groupBy: 'day', ...october },
        });
        const parts = answered.filter(({ isTotal }) => isTotal === false);
        assert.deepEqual(
          parts.map(({ value }) => value).toSorted(),
          cells.map((cell) => cell[at]).toSorted(),
        );
        assert.ok(view === 'cashFlow' || parts.length > 0);
        const totals = answered.filter(({ isTotal }) => isTotal === true);
        for (const { kind, asset, key, value } of totals) {
          const own = parts.filter(
            (each) => each.kind === kind && each.asset === asset && each.key === key,
          );
          assert.equal(value, sum(own.map((part) => String(part.value))));
        }
      }
  });

  it('give the verdicts of the reconciliation, and the positions of the last read', async () => {
    const content = practiceContent();
    const ledger = agents.ledger(content);
    const report = parseReport(await ledger.reconcile());
    const { proved, contradicted, undecided, rows } = await agents.ask('check_account', {
      check: 'reconciliation',
    });
    assert.deepEqual({ proved, contradicted, undecided }, verdictCounts(report));
    assert.deepEqual(
      rows.map(({ subject, verdict }) => [subject, verdict]),
      report.flatMap(({ subjects }) => subjects.map(({ subject, verdict }) => [subject, verdict])),
    );
    const { positions } = content.checkpoints?.at(-1) ?? assert.fail();
    const listed = await agents.ask('list_positions');
    assert.deepEqual(
      listed.rows.map(({ symbol, amount }) => [symbol, amount]),
      positions?.map(({ symbol, amount }) => [symbol, amount]),
    );
    const rebuilt = await analysisOf(ledger, 'positions', { now: Date.now() });
    const closed = await agents.ask('list_positions', { state: 'closed' });
    const expected = rebuilt.positions.filter((each) => each.closed !== null || each.undecided);
    assert.ok(expected.some(({ undecided }) => undecided === null));
    assert.equal(closed.notListed, rebuilt.count - rebuilt.positions.length);
    assert.deepEqual(closed.rows[0]?.fees, expected.at(-1)?.fees);
    assert.deepEqual(
      closed.rows.map(({ symbol, rpnl, netPl, undecided }) => [symbol, rpnl, netPl, undecided]),
      expected
        .toReversed()
        .slice(0, closed.rows.length)
        .map(({ symbol, gross, net, undecided }) => [symbol, gross, net, undecided]),
    );
    const audit = await agents.ask('check_account', { check: 'fees' });
    const { markets } = await analysisOf(ledger, 'feeAudit', { now: Date.now() });
    assert.deepEqual(audit.rows, markets);
  });

  it('list every contradiction, with the sum of what the rows lack', async () => {
    const content = practiceContent();
    const { futureTransactions = [] } = content.records ?? {};
    const kept = futureTransactions.filter((_each, index) => index % 400 !== 25);
    const records = { ...content.records, futureTransactions: kept };
    const report = parseReport(await agents.ledger({ ...content, records }).reconcile());
    const { rows } = await agents.ask('check_account', { check: 'reconciliation' });
    const all = report.flatMap(({ subjects }) => subjects);
    const index = all.findIndex(({ contradictions }) => contradictions.length > 1);
    const remainders = all[index]?.contradictions.map((each) => each.remainder) ?? assert.fail();
    const { contradictions, notListed, remainder } = rows[index] ?? assert.fail();
    const listed = contradictions as unknown as readonly { readonly remainder: string }[];
    assert.deepEqual(
      [listed.map((each) => each.remainder), notListed, remainder],
      [remainders, 0, sum(remainders)],
    );
  });

  it('explain an order by the id that they gave', async () => {
    agents.ledger(practiceContent());
    const found = await agents.ask('find_records', {
      history: 'orders',
      status: 'EXECUTED',
      limit: '1',
    });
    const [{ orderId, filled } = {}] = found.rows;
    const { rows, evidence } = await agents.ask('explain_order', { id: orderId });
    assert.equal(rows[0]?.tradedAmount, filled);
    assert.equal(rows[0]?.tradesAddUp, true);
    assert.ok(evidence.some(({ history, id }) => history === 'orders' && id === orderId));
  });

  it('explain an order as complete only if its trades add up, or none may be anywhere', async () => {
    const order = anOrder({ orderId: '1', filled: '2', time: String(period.from) });
    const trades = ['1', '2'].map((tradeId) =>
      aTrade({ tradeId, orderId: '1', symbol: order.symbol, amount: '1', time: order.time }),
    );
    const read = { from: 0, to: period.from + 5 * dayMs };
    const all = { orders: [order], futureTransactions: [], spotTransactions: [] };
    for (const count of [1, 2]) {
      const records = { ...all, trades: trades.slice(0, count) };
      agents.ledger({ records, complete: { trades: [read] } });
      const { rows, coverage } = await agents.ask('explain_order', { id: '1' });
      assert.deepEqual([rows[0]?.tradesAddUp, coverage.isComplete], [count === 2, count === 2]);
    }
  });

  it('name the history of each side of a transfer', async () => {
    const leg = { transactionUuid: 'ab', type: 'TRANSFER_TO_SPOT' };
    const futureTransactions = [aTransaction({ ...leg, transactionId: '9', amount: '-5' })];
    const spotTransactions = [aTransaction({ ...leg, transactionId: '8', amount: '5' })];
    agents.ledger({ records: { futureTransactions, spotTransactions } });
    const { evidence } = await agents.ask('explain_order', { id: '8' });
    const named = new Set(evidence.map(({ history, id }) => `${history} ${id}`));
    assert.deepEqual([...named].toSorted(), ['futureTransactions 9', 'spotTransactions 8']);
  });

  it('explain an order with every transaction of its trades, or what else has its id', async () => {
    const all = Array.from({ length: 6 }, (_none, index) => String(period.from + index));
    const trades = all.map((time) =>
      aTrade({ tradeId: time, orderId: '1', time, fee: '1', rpnl: '2', feeAsset: 'usdt' }),
    );
    const futureTransactions = all.flatMap((time, index) => [
      aTransaction({ transactionId: `${index}`, time, type: 'FEE', amount: '-1', asset: 'usdt' }),
      aTransaction({ transactionId: `${time}9`, time, type: 'REALIZED_PL', amount: '2' }),
    ]);
    const orders = [anOrder({ orderId: '1', symbol: aTrade().symbol })];
    agents.ledger({ records: { orders, trades, futureTransactions } });
    for (const [question, history, count] of [
      [{ id: '1' }, 'orders', 12],
      [{ id: '1', history: 'futureTransactions' }, 'futureTransactions', 1],
    ] as const) {
      const { rows } = await agents.ask('explain_order', question);
      const [{ transactions = null } = {}] = rows;
      const found = transactions as unknown as readonly object[];
      assert.deepEqual([rows[0]?.history, found.length], [history, count]);
    }
  });

  it('mark what the exchange no longer lists', async () => {
    const trades = ['1', '2', '3'].map((tradeId, index) =>
      aTrade({ tradeId, orderId: '7', time: String(period.from + index) }),
    );
    const ledger = agents.ledger({ records: { trades } });
    const again = { history: 'trades', from: 0, to: period.to, asOf: 5e12 } as const;
    const { id } = ledger.beginWalk({ ...again, purpose: 'current' });
    ledger.saveStep(
      id,
      [trades[0], trades[2]].map((each) => recordJson(each ?? assert.fail())),
      null,
    );
    ledger.endWalk(id, { completeness: 'complete', reason: null });
    const { rows } = await agents.ask('find_records', { history: 'trades' });
    const explained = await agents.ask<{ rows: { trades: typeof rows }[] }>('explain_order', {
      id: '7',
    });
    const since = new Date(5e12).toISOString();
    for (const each of [rows.toReversed(), explained.rows[0]?.trades])
      assert.deepEqual(
        each?.map(({ unlistedSince }) => unlistedSince),
        [undefined, since, undefined],
      );
  });

  it('go on with a cursor, without losing or repeating a row', async () => {
    const ledger = agents.ledger(practiceContent());
    const { total } = ledger.rows(aQuery('trades'), 0, 1);
    const question = { history: 'trades', limit: 200 };
    const rows = await agents.askAll('find_records', question);
    assert.equal(new Set(rows.map(({ tradeId }) => tradeId)).size, total);
    assert.equal(rows.length, total);
  });

  it('go on with a list as it was when they began it', async () => {
    const trades = Array.from({ length: 150 }, (_none, index) =>
      aTrade({ tradeId: String(index), symbol: `s${index}_usdt`, rpnl: '1' }),
    );
    const ledger = agents.ledger({ records: { trades } });
    const question = { view: 'realizedPl', splitBy: 'symbol', to: '2025-12-01T00:00:00Z' };
    const all = await agents.askAll('summarize', question);
    const { rows, cursor } = await agents.ask('summarize', question);
    assert.ok(all.length === 150 && rows.length < 150);
    ledger.storeRows('trades', [recordJson(aTrade({ symbol: 'a_usdt', rpnl: '1' }))], Date.now());
    const next = await agents.ask('summarize', { ...question, cursor });
    const shown = [...rows, ...next.rows];
    assert.deepEqual(shown, all.slice(0, shown.length));
  });

  it('have no value where rows may be missing', async () => {
    const { records = {}, checkpoints = [] } = practiceContent();
    const half = { from: period.from, to: Date.UTC(2026, 9, 5) };
    agents.ledger({ records, checkpoints, complete: { trades: [half] } });
    const question = { view: 'realizedPl', groupBy: 'day', ...october };
    const { coverage, rows } = await agents.ask('summarize', question);
    assert.equal(coverage.isComplete, false);
    assert.equal(coverage.gaps.length, 1);
    for (const { from, value, partial } of rows)
      assert.equal(value === null, String(from) >= '2026-10-05' || partial !== null);
    const [total] = rows;
    assert.equal(total?.value, null);
    assert.notEqual(total.partial, null);
    const none = await agents.ask('summarize', { view: 'realizedPl', to: october.from });
    assert.deepEqual([none.coverage.isComplete, none.rows], [false, []]);
  });

  it('sum one state of a ledger: what was written meanwhile is read again, or has no value', async () => {
    const ledger = agents.ledger(practiceContent());
    const [{ ledger: file } = assert.fail()] = agents.grants.read();
    const own = new LedgerClient({ workerFile: ledgerWorkerFile, file, readOnly: true });
    reader = own;
    const analyse = own.analyse.bind(own);
    let writes = 0;
    own.analyse = async (request) => {
      const found = await analyse(request);
      writes -= 1;
      const trade = aTrade({ tradeId: String(10 - writes), rpnl: '1', time: String(period.from) });
      if (writes >= 0) ledger.storeRows('trades', [recordJson(trade)], Date.now());
      return found;
    };
    const asked = { view: 'realizedPl', groupBy: 'none', splitBy: 'asset', zone: 'UTC' };
    const find = async () => {
      const question = { ...asked, accountType: 'FUTURE' };
      const { known, rows } = await summarize.find(
        { reader: own, now: Date.now() },
        question,
        null,
      );
      const { coverage } = known as unknown as PracticeAnswer;
      return { coverage, total: rows[0] as PracticeAnswer['rows'][number] };
    };
    const before = await find();
    writes = 1;
    const { total } = await find();
    assert.equal(total.value, sum([String(before.total.value), '1']));
    writes = 100_000;
    const { coverage, total: unknown } = await find();
    assert.deepEqual([unknown.value, coverage.isComplete], [null, false]);
    assert.ok(unknown.partial !== null && JSON.stringify(coverage).includes('writtenWhileRead'));
  });

  it('never have newer coverage than rows', async () => {
    const order = anOrder({ orderId: '1', filled: '2', time: String(period.from) });
    const records = { orders: [order], trades: [aTrade({ orderId: '1' })] };
    for (const [tool, asked, last] of [
      [findRecords, { history: 'trades', limit: 9, hasOtherFields: false }, 'piece'],
      [explainOrder, { id: '1' }, 'past'],
      [getCoverage, {}, 'coverage'],
      [checkAccount, { check: 'reconciliation' }, 'reconcile'],
    ] as const) {
      const unread = { records, complete: { trades: [{ from: 0, to: period.from }] } };
      const ledger = agents.ledger(unread, { account: tool.name });
      const grant = agents.grants.read().find(({ account }) => account === tool.name);
      const { ledger: file } = grant ?? assert.fail();
      const now = period.to;
      let [isWritten, versionsRead] = [false, 0];
      const own = new LedgerClient({ workerFile: ledgerWorkerFile, file, readOnly: true });
      const calls = own as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
      const { versions = assert.fail(), [last]: read = assert.fail() } = calls;
      calls[last] = async (...args) => {
        const found = await read(...args);
        const proved = { from: 0, to: now, completeness: 'complete', reason: null } as const;
        if (!isWritten) ledger.storeRows('trades', [recordJson(aTrade())], now, proved);
        isWritten = true;
        return found;
      };
      calls.versions = () => {
        versionsRead += 1;
        return versions();
      };
      const { known } = await tool.find({ reader: own, now }, asked, null);
      await own.close();
      const { gaps } = known.coverage as { readonly gaps: readonly { readonly history: string }[] };
      const isAsBefore = gaps.some(({ history }) => history === 'trades');
      assert.ok(isAsBefore || versionsRead === 4, tool.name);
    }
  });

  it('name as evidence only records that are in the figures', async () => {
    const symbol = 'btc_usdt';
    const figures = [
      { side: 'BUY', fee: '1', rpnl: '0' },
      { side: 'SELL', fee: '-2', rpnl: '5' },
      { side: 'BUY', fee: '0', rpnl: '0' },
    ] as const;
    const trades = figures.map((figure, index) => {
      const at = { tradeId: `${index}`, time: String(period.from + index) };
      return aTrade({ ...figure, ...at, symbol, amount: '1', maker: index > 0 });
    });
    const funding = aTransaction({ type: 'FUNDING_FEE', time: String(period.from) });
    const checkpoints = [period.from - 1, period.to].map(takersPay);
    agents.ledger({ records: { trades, futureTransactions: [funding] }, checkpoints });
    for (const [tool, question, ...ids] of [
      ['summarize', { view: 'realizedPl' }, '1'],
      ['summarize', { view: 'fees' }, '0', '1'],
      ['summarize', { view: 'funding', splitBy: 'symbol' }],
      ['list_positions', { state: 'closed' }, '1'],
    ] as const) {
      const { evidence } = await agents.ask(tool, question);
      assert.deepEqual(
        evidence.map(({ id }) => id),
        ids,
        JSON.stringify(question),
      );
    }
  });

  it('say by what they group, which may be longer than asked', async () => {
    const trade = (year: number) =>
      aTrade({ tradeId: `${year}`, rpnl: '1', time: String(Date.UTC(year, 0)) });
    agents.ledger({ records: { trades: [trade(2009), trade(2026)] } });
    for (const [groupBy, answered] of [
      ['none', 'none'],
      ['day', 'week'],
    ]) {
      const { groupBy: found } = await agents.ask('summarize', { view: 'realizedPl', groupBy });
      assert.equal(found, answered);
    }
  });

  it('have no cash after a gap, as it follows from all rows before', async () => {
    const day = (number: number): number => period.from + number * dayMs;
    const futureTransactions = [0, 1, 3, 4].map((number) =>
      aTransaction({ transactionId: `${number}`, time: String(day(number)) }),
    );
    const complete = [
      { from: period.from, to: day(2) },
      { from: day(3), to: period.to },
    ];
    agents.ledger({ records: { futureTransactions }, complete: { futureTransactions: complete } });
    const { rows } = await agents.ask('summarize', { view: 'cash', groupBy: 'day', ...october });
    const days = rows.filter(({ isTotal }) => isTotal === false);
    assert.equal(days.length, 10);
    for (const { to, value } of days) assert.equal(value === null, String(to) >= '2026-10-04');
  });

  it('are as old as the history that was read longest ago', async () => {
    const readAt = (asOf: number) => [{ from: 0, to: 1, asOf }];
    const transactions = { futureTransactions: readAt(2), spotTransactions: readAt(4) };
    agents.ledger({
      records: { orders: [], trades: [], futureTransactions: [], spotTransactions: [] },
      complete: { orders: readAt(3), trades: readAt(1), ...transactions },
    });
    const { asOf } = await agents.ask('explain_order', { id: '1' });
    assert.equal(asOf, new Date(1).toISOString());
    const { asOf: ofAll } = await agents.ask('get_coverage');
    assert.equal(ofAll, null);
    const parts = [readAt(9), [{ from: 1, to: 5, asOf: 7 }], [{ from: 5, to: 8, asOf: 6 }]].flat();
    agents.ledger({ records: { orders: [] }, complete: { orders: parts } });
    for (const [to, oldest] of [
      [5, 7],
      [8, 6],
    ] as const) {
      const asked = { history: 'orders', to: new Date(to).toISOString() };
      const { asOf: ofPeriod } = await agents.ask('find_records', asked);
      assert.equal(ofPeriod, new Date(oldest).toISOString());
    }
  });

  it('are incomplete if a row lacks its figure, or the account its list', async () => {
    const trades = [aTrade({ tradeId: '1', rpnl: '7' }), aTrade({ tradeId: '2', rpnl: null })];
    const times = { sentAt: period.from, answeredAt: period.from, clockErrorMs: 0 };
    const figures = { assets: [], positions: null, equity: null, upl: null, fees: unknownFees };
    agents.ledger({ records: { trades }, checkpoints: [{ ...times, ...figures }] });
    const { coverage, rows } = await agents.ask('summarize', { view: 'realizedPl' });
    assert.equal(coverage.isComplete, false);
    assert.deepEqual([rows[0]?.value, rows[0]?.partial], [null, '7']);
    for (const [tool, isComplete] of [
      ['list_positions', false],
      ['get_account', true],
    ] as const)
      assert.equal((await agents.ask(tool)).coverage.isComplete, isComplete);
  });

  it('count rows without a time or figure, unless all rows are found', async () => {
    const order = anOrder({ orderId: '1', time: '' });
    const trade = aTrade({ orderId: '1', rpnl: null, time: String(period.from) });
    agents.ledger({ records: { orders: [order], trades: [trade] } });
    const from = { from: '2020-01-01T00:00:00Z' };
    for (const [tool, question, ...counts] of [
      ['find_records', { history: 'orders' }, 0, 0],
      ['find_records', { history: 'orders', ...from }, 1, 0],
      ['find_records', { history: 'trades' }, 0, 1],
      ['get_coverage', from, 1, 1],
      ['explain_order', { id: '1' }, 1, 1],
      ['check_account', { check: 'reconciliation' }, 1, 1],
    ] as const) {
      const { coverage } = await agents.ask(tool, question);
      assert.deepEqual([coverage.rowsWithoutTime, coverage.rowsLackingFigures], counts, tool);
    }
  });

  it('have the fees of a position only if their sign is known, and say what its net lacks', async () => {
    const trade = { symbol: 'btc_usdt', amount: '1', price: '100', feeAsset: 'bnb', maker: false };
    const trades = (['BUY', 'SELL'] as const).map((side, index) =>
      aTrade({ ...trade, side, fee: '1', tradeId: `${index}`, time: String(period.from + index) }),
    );
    const checkpoints = [period.from - 1, period.to].map(takersPay);
    const fees = [{ asset: 'bnb', amount: '2' }];
    for (const [content, ...expected] of [
      [{}, null, [], null],
      [{ checkpoints }, '0', ['charges', 'bnb fees'], fees],
    ] as const) {
      const ledger = agents.ledger({ ...content, records: { trades } });
      ledger.keepSymbols([{ symbol: 'btc_usdt', marginAsset: 'usdt', quoteAsset: 'usdt' }]);
      const { rows } = await agents.ask('list_positions', { state: 'closed' });
      assert.deepEqual(
        rows.map(({ rpnl, netPl, netLacks, fees }) => [rpnl, netPl, netLacks, fees]),
        [['0', ...expected]],
      );
    }
  });

  it('call nothing complete that was not read yet', async () => {
    const to = Date.now() - 60_000;
    agents.ledger({ records: { trades: [] }, complete: { trades: [{ from: 0, to }] } });
    const end = new Date(to).toISOString();
    for (const ends of [{}, { to: end }]) {
      const asked = { view: 'realizedPl', ...ends };
      const { coverage } = await agents.ask('summarize', asked);
      assert.deepEqual(
        [coverage.isComplete, coverage.completeTo, coverage.gaps],
        ['to' in ends, end, []],
      );
    }
  });

  it('say how many fees that differ are in no answer', async () => {
    const trades = Array.from({ length: 2200 }, (_none, index) =>
      aTrade({
        ...{ tradeId: `${index}`, time: String(period.from + index), amount: '1', price: '100003' },
        ...{
          maker: false,
          feeAsset: 'usdt',
          type: 'ORDER_BOOK',
          fee: index < 1050 ? '70.0021' : '50.0015',
        },
      }),
    );
    const checkpoints = [period.from - 1, period.to].map(takersPay);
    agents.ledger({ records: { trades }, checkpoints });
    const { deviations, notListed } = await agents.ask('check_account', { check: 'fees' });
    assert.ok(Number(deviations) > 1000);
    assert.equal(notListed, Number(deviations) - 1000);
  });

  it('have the fee table as it was stored once, and the tier of the last read', async () => {
    const { table: _same, ...fees } = takersPay(0).fees;
    const last = { ...takersPay(period.to), fees: { ...fees, tier: '2' } };
    agents.ledger({ records: {}, checkpoints: [takersPay(period.from), last] });
    const { rows, asOf, feeTier, equity } = await agents.ask('get_rules');
    const expected = [1, new Date(period.to).toISOString(), '2', undefined];
    assert.deepEqual([rows.length, asOf, feeTier, equity], expected);
  });

  it('say nothing of times to come', async () => {
    agents.ledger({ records: { trades: [] } });
    const { rows } = await agents.ask('get_coverage');
    const ofTrades = rows.filter(({ history }) => history === 'trades');
    assert.deepEqual(
      ofTrades.map(({ completeness }) => completeness),
      ['complete'],
    );
    assert.ok(Date.parse(String(ofTrades[0]?.to)) <= Date.now());
    const to = new Date(Date.now() + 99 * dayMs).toISOString();
    const asked = { view: 'realizedPl', from: '1900-01-01T00:00:00Z', to };
    const { coverage, to: end } = await agents.ask('summarize', asked);
    assert.deepEqual([coverage.isComplete, coverage.gaps], [true, []]);
    assert.ok(Date.parse(String(end)) <= Date.now());
  });

  it('go on with records after a change, until there are too many cursors', async () => {
    const content = practiceContent();
    const ledger = agents.ledger(content);
    const records = { history: 'trades', limit: 1 };
    const { cursor: ofRecords } = await agents.ask('find_records', records);
    const walk = ledger.beginWalk({
      history: 'trades',
      asOf: 1,
      from: 0,
      to: 1,
      purpose: 'download',
    });
    ledger.saveStep(walk.id, [recordJson(aTrade({ tradeId: 'new' }))], null);
    await agents.ask('find_records', { ...records, cursor: ofRecords });
    for (let count = 0; count < 99; count += 1) await agents.ask('find_records', records);
    await assert.rejects(agents.ask('find_records', { ...records, cursor: ofRecords }), {
      code: 'invalidInput',
    });
  });

  it('refuse an answer of one row that is longer than agents take', async () => {
    const long = (name: string): string => name.padEnd(490, '_');
    const trades = Array.from({ length: 20 }, (_none, index) =>
      aTrade({
        ...{ tradeId: long(`${index}`), orderId: '1', symbol: long('symbol') },
        ...{ feeAsset: long('asset'), type: long('type') },
      }),
    );
    const order = anOrder({ orderId: '1', symbol: long('symbol') });
    agents.ledger({ records: { trades, orders: [order] } });
    const question = { account: 'Practice', id: '1' };
    const answer = agents.service.answer('explain_order', question);
    await assert.rejects(answer, { code: 'unavailable', message: /ask find_records/ });
    const { rows } = await agents.ask('find_records', { history: 'trades' });
    assert.ok(rows.length > 0);
  });

  it('hide every amount in privacy mode, and nothing that is public', async () => {
    const content = practiceContent();
    agents.ledger(content, { amounts: 'hidden' });
    const amounts = (content.records?.trades ?? []).flatMap((trade) =>
      'rpnl' in trade ? [trade.amount, trade.fee, trade.rpnl] : [],
    );
    const long = amounts.filter((amount) => amount !== null && amount.length > 5);
    assert.ok(long.length > 100);
    const answers: string[] = [];
    for (const { name } of accountTools)
      for (const question of questionsOf(name, content))
        answers.push(JSON.stringify(await agents.ask(name, question)));
    const text = answers.join('\n');
    assert.match(text, /"amount":"hidden"/);
    assert.match(text, /"value":"hidden"/);
    assert.match(text, /"price":"\d/);
    for (const amount of long) assert.ok(!text.includes(`"${amount}"`), amount ?? '');
    const named = [...text.matchAll(/"(\w+)":"-?[\d.]+"/g)].map(([, name]) => name);
    assert.deepEqual([...new Set(named)].toSorted(), [
      ...['averageExecutionPrice', 'basePrice', 'entryPrice', 'exitPrice'],
      ...['feeTier', 'feeTierDiscount', 'id', 'maker', 'orderId', 'price', 'taker', 'tier'],
      ...['tradeId', 'transactionId'],
    ]);
  });
});

function isFigure(field: string): boolean {
  return ['rpnl', 'fee', 'amount'].includes(field);
}

function questionsOf(name: string, { records }: ReturnType<typeof practiceContent>): object[] {
  const [order] = records?.orders ?? [];
  const orderId = order && 'clientOrderId' in order ? order.orderId : '';
  switch (name) {
    case 'find_records':
      return ['orders', 'trades', 'futureTransactions'].map((history) => ({
        ...{ history, limit: 200, hasOtherFields: true },
      }));
    case 'summarize':
      return ['realizedPl', 'fees', 'funding', 'cash'].map((view) => ({
        ...{ view, groupBy: 'day' },
      }));
    case 'explain_order':
      return [{ id: orderId }];
    case 'check_account':
      return [{ check: 'reconciliation' }, { check: 'fees' }];
    case 'list_positions':
      return [{ state: 'open' }, { state: 'closed' }];
    default:
      return [{}];
  }
}
