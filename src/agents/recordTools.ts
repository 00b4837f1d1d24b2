import * as v from 'valibot';
import { parametersOf } from '../api/operations.ts';
import { isSame, sum } from '../base/decimal.ts';
import { always, type Interval } from '../base/interval.ts';
import { dayMs, parseTimestampMs } from '../base/time.ts';
import { coverageParts } from '../ledger/coverage/coverageParts.ts';
import {
  ledgerHistoryNames,
  operationOf,
  type LedgerHistory,
  type LedgerQuery,
  type LedgerRecord,
} from '../ledger/ledger.ts';
import {
  idPlaces,
  recordsOf,
  relatedTo,
  withIds,
  type StoredRecord,
} from '../ledger/relatedRecords.ts';
import { counts, knownOf, texts, type OpenAccount } from './account.ts';
import { argument, periodOf, Refusal, wordArgument } from './arguments.ts';
import { anyRecord, evidenceOf, tool } from './tool.ts';

export const findRecords = tool({
  name: 'find_records',
  description:
    'Stored records of one history that the exchange still lists, newest first. Do not add or count rows: summarize does.',
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
    const { reader } = account;
    const query = queryOf(history, periodOf({ from, to }), filters);
    const { rows, start, next } = await reader.piece(query, place, limit);
    return {
      ...{ known: await knownOf(account, [history], query.period), facts: { history } },
      rows: rows.map((record) =>
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
  if (wrong !== undefined) {
    const message = `${wrong}: ${history} have only the filters ${known.join(', ')}.`;
    throw new Refusal('invalidInput', message, wrong);
  }
  const values = given.map(([name, value = '']) => [name, [value]] as const);
  const matching = { history, period, filters: Object.fromEntries(values) };
  return { ...matching, search: '', sort: null, isListed: true };
}

/** Records that share an id: a person has to tell them apart. */
const mostExplained = 3;

export const explainOrder = tool({
  name: 'explain_order',
  description:
    'What belongs to an id: the order, its first 10 trades, the exact sum of all its fees, its transactions. tradesAddUp: whether its trades are the whole filled amount. Fees are as sent; feeSign says which sign was paid, null: not known.',
  asks: { id: argument.id },
  row: v.strictObject({
    ...texts('history', 'tradedAmount', 'feeSign'),
    ...{ record: anyRecord, order: v.nullable(anyRecord), tradeCount: v.number() },
    tradesAddUp: v.nullable(v.boolean()),
    fees: v.array(v.strictObject({ ...texts('asset', 'sum'), ...counts('lacking') })),
    ...{ trades: v.array(anyRecord), transactions: v.array(anyRecord) },
  }),
  find: async (account, { id }) => {
    const [index = -1] = await account.reader.findIds(idPlaces, [id]);
    const found = idPlaces[index];
    const records = found ? await recordsOf({ id, place: found }, account.reader) : [];
    const own = records.slice(0, mostExplained);
    const rows = await Promise.all(own.map((each) => explained(account, each)));
    const period = periodAround(records.map(({ record }) => record));
    return {
      rows,
      known: await knownOf(account, ['orders', 'trades', 'futureTransactions'], period),
      evidence: rows.flatMap(({ history, record, trades, transactions }) => [
        evidenceOf(history, record),
        ...trades.map((each) => evidenceOf('trades', each)),
        ...transactions.map((each) => evidenceOf('futureTransactions', each)),
      ]),
    };
  },
});

async function explained({ reader }: OpenAccount, stored: StoredRecord) {
  const { fees, order = null, ...related } = await relatedTo(stored, reader);
  const { tradeCount, feeSign, trades, transactions } = related;
  const own = order && withIds('trades', { orderId: order.orderId, symbol: order.symbol });
  const traded = own ? await reader.sums(own, ['amount']) : [];
  const isWhole = own !== null && traded.every(({ lacking }) => lacking === 0);
  const tradedAmount = isWhole ? sum(traded.map((each) => each.sum)) : null;
  const isKnown = tradedAmount !== null && order !== null && order.filled !== null;
  return {
    ...{ history: stored.history, record: stored.record, order, tradeCount, tradedAmount, feeSign },
    tradesAddUp: isKnown ? isSame(tradedAmount, order.filled) : null,
    fees: fees.sums.map(({ unit: asset, sum, lacking }) => ({ asset, sum, lacking })),
    ...{ trades, transactions },
  };
}

/** A day before and after: the API does not say when the trades of an order were. */
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
    const rows = ledgerHistoryNames.map(async (history) =>
      coverageParts(history, await account.reader.coverage(history), asked).map((part) => ({
        history,
        ...part,
      })),
    );
    return {
      rows: (await Promise.all(rows)).flat(),
      known: await knownOf(account, ledgerHistoryNames, period),
    };
  },
});
