import * as v from 'valibot';
import { fieldsOf, parametersOf } from '../api/operations.ts';
import { isSame, sum } from '../base/decimal.ts';
import { always, isAlways, type Interval } from '../base/interval.ts';
import { dayMs, parseTimestampMs } from '../base/time.ts';
import { coverageParts } from '../ledger/coverage/coverageParts.ts';
import {
  ledgerHistoryNames,
  operationOf,
  type LedgerHistory,
  type LedgerQuery,
  type LedgerReader,
  type LedgerRecord,
} from '../ledger/ledger.ts';
import { recordsOf, relatedTo, withIds, type StoredRecord } from '../ledger/relatedRecords.ts';
import { counts, knownOf, readWhole, texts, type OpenAccount } from './account.ts';
import {
  argument,
  periodOf,
  placeOf,
  recordAsks,
  refuse,
  wordArgument,
  type Asked,
} from './arguments.ts';
import { anyRecord, evidenceOf, tool } from './tool.ts';

export const findRecords = tool({
  name: 'find_records',
  description:
    'Stored records of one history, newest first. unlistedSince, if a record has it: the exchange no longer lists it, and no sum has it. Do not add or count rows: summarize does.',
  asks: {
    ...{ history: argument.history, from: argument.from, to: argument.to },
    symbol: wordArgument('Exactly, as btc_usdt'),
    side: wordArgument('BUY or SELL'),
    type: wordArgument('Exactly, as FUNDING_FEE'),
    status: wordArgument('Of orders'),
    asset: wordArgument('Of transactions'),
    orderId: argument.orderId,
    ...{ limit: argument.limit, hasOtherFields: argument.hasOtherFields },
  },
  facts: texts('history'),
  row: anyRecord,
  find: async (account, { history, limit, hasOtherFields, from, to, ...filters }, place) => {
    const { reader, now } = account;
    const query = queryOf(history, periodOf({ from, to }), filters);
    // Read before the rows: what is written meanwhile can only add to them.
    const coverage = await reader.known([history], query.period, now);
    const { rows, start, next } = await reader.piece(query, place, limit);
    if (rows.length === 0) await refuseUnknownWords(query, reader);
    const found = await Promise.all(
      rows.map((record) => marked({ history, record } as StoredRecord, reader)),
    );
    const isEveryRow = isAlways(query.period) && Object.keys(query.filters).length === 0;
    return {
      ...{ known: knownOf(coverage, query.period, now, isEveryRow), facts: { history } },
      rows: found.map((record) =>
        hasOtherFields ? { ...record, otherFields: JSON.stringify(record.extra) } : record,
      ),
      placeAfter: async (count) =>
        count === rows.length ? next : (await reader.piece(query, place ?? start, count)).next,
    };
  },
});

/** Throws a Refusal if the history has no such filter. */
function queryOf(
  history: LedgerHistory,
  period: Interval,
  filters: Readonly<Record<string, string | undefined>>,
): LedgerQuery {
  const operation = operationOf(history);
  const fields = [...parametersOf(operation).values()].flatMap((parameter) =>
    'field' in parameter ? (parameter.field ?? []) : [],
  );
  const known = operation === 'trades' ? [...fields, 'orderId'] : fields;
  const given = Object.entries(filters).filter(([, value]) => value !== undefined);
  const [wrong] = given.find(([name]) => !known.includes(name)) ?? [];
  if (wrong !== undefined)
    refuse(
      wrong,
      `${history} have only the filters ${known.join(', ')}; explain_order finds one id`,
    );
  const values = given.map(([name, value = '']) => [name, [value]] as const);
  return { history, period, filters: Object.fromEntries(values), search: '', sort: null };
}

/** Throws a Refusal of a word that neither the API names nor a record has: it may be written wrongly. */
async function refuseUnknownWords(query: LedgerQuery, reader: LedgerReader): Promise<void> {
  const fields = fieldsOf(operationOf(query.history));
  for (const [name, values] of Object.entries(query.filters)) {
    const { kind, values: named = [] } = fields.get(name) ?? {};
    if (kind !== 'word' || values.some((value) => named.includes(value))) continue;
    const having = { ...query, period: always, filters: { [name]: values } };
    if ((await reader.piece(having, null, 1)).rows.length > 0) continue;
    refuse(name, `no record has it; exactly ${named.join(', ') || 'as in records'}`);
  }
}

/** With since when the exchange no longer lists it. */
async function marked(
  { history, record }: StoredRecord,
  reader: LedgerReader,
): Promise<LedgerRecord> {
  const { unlistedSince } = await reader.past(history, record);
  return { ...record, ...(unlistedSince !== null && { unlistedSince }) };
}

export const explainOrder = tool({
  name: 'explain_order',
  description:
    'What belongs to an id: the order, its first 10 trades, the exact sum of all its fees, the transactions of those trades. The same id may be an order and a transaction: history says which. tradesAddUp: whether its trades are the whole filled amount. Fees are as sent; feeSign says which sign was paid, null: not known.',
  asks: recordAsks,
  row: v.strictObject({
    ...texts('history', 'tradedAmount', 'feeSign'),
    ...{ record: anyRecord, order: v.nullable(anyRecord), tradeCount: v.number() },
    tradesAddUp: v.nullable(v.boolean()),
    fees: v.array(v.strictObject({ ...texts('asset', 'sum'), ...counts('lacking') })),
    ...{ trades: v.array(anyRecord), transactions: v.array(anyRecord) },
  }),
  find: async (account, asked) => {
    const { rows, stored, period, coverage } = await readWhole(account, always, () =>
      explanationOf(account, asked),
    );
    return {
      rows,
      known: knownOf(coverage, period, account.now),
      evidence: stored.map(({ history, record }) => evidenceOf(history, record)),
    };
  },
});

/** What an id names, with what is known of its histories. */
async function explanationOf(account: OpenAccount, asked: Asked<typeof recordAsks>) {
  const { reader, now } = account;
  const place = await placeOf(asked, reader);
  const records = place ? await recordsOf({ id: asked.id, place }, reader) : [];
  const explanations = await Promise.all(records.map((each) => explained(account, each)));
  const rows = explanations.map(({ row }) => row);
  const areWhole = rows.length > 0 && rows.every(({ tradesAddUp }) => tradesAddUp);
  const stored = explanations.flatMap(({ related }) => related);
  // Other records of what does not add up may have any time.
  const period = areWhole ? periodAround(stored.map(({ record }) => record)) : always;
  const ofOrders = ['orders', 'trades', 'futureTransactions'] as const;
  const histories = areWhole ? ofOrders : ([...ofOrders, 'spotTransactions'] as const);
  return { rows, stored, period, coverage: await reader.known(histories, period, now) };
}

async function explained({ reader }: OpenAccount, stored: StoredRecord) {
  const { fees, order = null, ...own } = await relatedTo(stored, reader);
  const ofOrder = order && withIds('trades', { orderId: order.orderId, symbol: order.symbol });
  const traded = ofOrder ? await reader.sums(ofOrder, ['amount']) : [];
  const isWhole = ofOrder !== null && traded.every(({ lacking }) => lacking === 0);
  const tradedAmount = isWhole ? sum(traded.map((each) => each.sum)) : null;
  const isKnown = tradedAmount !== null && order !== null && order.filled !== null;
  const trades = own.trades.map((record) => ({ history: 'trades', record }) as const);
  const mark = (each: StoredRecord) => marked(each, reader);
  const row = {
    ...{ history: stored.history, record: await mark(stored) },
    order: order && (await mark({ history: 'orders', record: order })),
    ...{ tradeCount: own.tradeCount, tradedAmount, feeSign: own.feeSign },
    tradesAddUp: isKnown ? isSame(tradedAmount, order.filled) : null,
    fees: fees.sums.map(({ unit: asset, sum, lacking }) => ({ asset, sum, lacking })),
    trades: await Promise.all(trades.map(mark)),
    transactions: await Promise.all(own.transactions.map(mark)),
  };
  return { row, related: [stored, ...trades, ...own.transactions] };
}

/** A day before and after: transactions of trades may be booked later. */
function periodAround(records: readonly LedgerRecord[]): Interval {
  const times = records.flatMap(
    (record) => parseTimestampMs('updatedAt' in record ? record.updatedAt : record.time) ?? [],
  );
  if (times.length === 0) return always;
  return { from: Math.min(...times) - dayMs, to: Math.max(...times) + dayMs };
}

export const getCoverage = tool({
  name: 'get_coverage',
  description:
    'Which periods of each history the ledger has. Ask this first. completeness: complete (a read proved that no row is missing), drifted, unknown or neverRead.',
  asks: { from: argument.from, to: argument.to },
  row: v.strictObject(texts('history', 'from', 'to', 'completeness', 'reason', 'asOf')),
  find: async (account, ends) => {
    const period = periodOf(ends);
    const asked = { from: period.from, to: Math.min(period.to, account.now) };
    const { reader, now } = account;
    const partsOf = async (history: LedgerHistory) =>
      coverageParts(history, await reader.coverage(history), asked).map((part) => ({
        ...{ history, ...part },
      }));
    const { rows, coverage } = await readWhole(account, period, async () => ({
      rows: (await Promise.all(ledgerHistoryNames.map(partsOf))).flat(),
      coverage: await reader.known(ledgerHistoryNames, period, now),
    }));
    return { rows, known: knownOf(coverage, period, now) };
  },
});
