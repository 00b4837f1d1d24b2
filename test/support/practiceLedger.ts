import { parseJson } from '../../src/base/exactJson.ts';
import type { Interval } from '../../src/base/interval.ts';
import type { HistoryRecord } from '../../src/exchange/history/records.ts';
import type { HistoryName } from '../../src/api/operations.ts';
import { answers } from '../../src/exchange/records.ts';
import type { Checkpoint } from '../../src/ledger/ledger.ts';
import { jsonText } from '../../src/practice/http/jsonResponse.ts';
import { SimulatedExchange } from '../../src/practice/simulatedExchange.ts';
import { movableClock } from '../unit/practice/movableClock.ts';
import { decode } from './decode.ts';
import type { LedgerRecords } from './ledgerInMemory.ts';
import { unknownFees } from './builders.ts';

/** What a ledger of the practice account has after this period, with a checkpoint every so often. */
export function practiceLedger(
  seed: number,
  { from, to }: Interval,
  everyMs: number,
): { readonly checkpoints: readonly Checkpoint[]; readonly records: LedgerRecords } {
  const clock = movableClock(from);
  const exchange = new SimulatedExchange({ seed, clock, weightLimit: 1000 });
  const checkpoints: Checkpoint[] = [];
  for (let now = from; now < to; now += everyMs) {
    clock.moveTo(now);
    checkpoints.push(checkpointAt(now, jsonText(exchange.account())));
  }
  clock.moveTo(to);
  const period = { dateFrom: from, dateTo: to - 1 };
  const transactions = (accountType: 'SPOT' | 'FUTURE') =>
    rowsOf('transactions', (page) => exchange.transactions({ ...period, accountType }, page, 500));
  return {
    checkpoints,
    records: {
      orders: rowsOf('orders', (page) => exchange.orders(period, page, 500)),
      trades: rowsOf('trades', (page) => exchange.trades(period, page, 500)),
      lots: [],
      futureTransactions: transactions('FUTURE'),
      spotTransactions: transactions('SPOT'),
    },
  };
}

function checkpointAt(now: number, answer: string): Checkpoint {
  const { assets, positions, equity, upl } = decode(answers.accounts, parseJson(answer)).value;
  return {
    sentAt: now,
    answeredAt: now,
    clockErrorMs: 0,
    assets,
    positions,
    equity,
    upl,
    fees: unknownFees,
  };
}

/** All pages of a history. */
function rowsOf(
  history: HistoryName,
  read: (page: number) => { readonly totalPages: number },
): readonly HistoryRecord[] {
  const rows: HistoryRecord[] = [];
  for (let page = 0, all = 1; page < all; page++) {
    const answer = read(page);
    rows.push(
      ...decode<{ content: readonly HistoryRecord[] }>(
        answers[history],
        parseJson(jsonText(answer)),
      ).value.content,
    );
    all = answer.totalPages;
  }
  return rows;
}
