import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { negated } from '../../src/base/decimal.ts';
import { openEnd } from '../../src/base/interval.ts';
import type { LedgerReader, LedgerRecord } from '../../src/ledger/ledger.ts';
import { parseRecord } from '../../src/ledger/storage/recordLines.ts';
import { eventually } from './eventually.ts';
import { freqtradeDatabase } from './freqtradeDatabase.ts';
import { ledgerInThisThread } from './ledgerUnderTest.ts';

/** The same of the practice ledger in a data folder, once trades were read into it. */
export async function freqtradeOfPractice(dataDir: string, file: string): Promise<string> {
  const ledger = ledgerInThisThread({ file: await ledgerFile(dataDir), readOnly: true });
  const reader = {
    rows: (...of: Parameters<typeof ledger.rows>) => {
      const { lines, ...counts } = ledger.rows(...of);
      return Promise.resolve({ ...counts, rows: lines.map(parseRecord) });
    },
  };
  const turned = await freqtradeOfLedger(reader, file);
  ledger.close();
  return turned;
}

async function ledgerFile(dataDir: string): Promise<string> {
  const find = async (): Promise<string | false | undefined> => {
    const files = await readdir(dataDir, { recursive: true });
    const found = files.find((name) => /ledgers.*\.sqlite$/.test(name));
    if (found === undefined) return undefined;
    const file = path.join(dataDir, found);
    const ledger = ledgerInThisThread({ file, readOnly: true });
    const coverage = ledger.coverage('trades');
    ledger.close();
    return coverage.some(({ completeness }) => completeness === 'complete') && file;
  };
  return eventually('the ledger', find, { deadlineMs: 120_000 }) as Promise<string>;
}

/**
 * A freqtrade database of what a ledger has, with the sign of one fee turned: that of the order in the middle, which is
 * returned.
 */
export async function freqtradeOfLedger(
  reader: Pick<LedgerReader, 'rows'>,
  file: string,
): Promise<string> {
  const query = { period: { from: 0, to: openEnd }, filters: {}, search: '', sort: null } as const;
  const { rows } = await reader.rows({ ...query, history: 'trades' }, 0, 100_000);
  const trades = (rows as LedgerRecord<'trades'>[]).toReversed();
  const byOrder = Map.groupBy(trades, ({ orderId }) => orderId ?? '');
  const orders = [...byOrder.keys()];
  const turned = orders[Math.floor(orders.length / 2)] ?? '';
  const { addTrade, addOrder, close } = freqtradeDatabase(file, { keepsFunding: false });
  for (const [index, [orderId, fills]] of [...byOrder].entries()) {
    const [first] = fills;
    if (!first) continue;
    const total = (figure: (fill: LedgerRecord<'trades'>) => number): number =>
      fills.reduce((sum, fill) => sum + figure(fill), 0);
    const [id, amount] = [index + 1, total((fill) => Number(fill.amount))];
    const fee = total((fill) => Number(orderId === turned ? negated(fill.fee ?? '0') : fill.fee));
    const time = new Date(Number(fills.at(-1)?.time)).toISOString().replace('T', ' ').slice(0, 23);
    const pair = `${first.symbol.toUpperCase().replace('_', '/')}:USDT`;
    addTrade({
      ...{ id, pair, fee_open_cost: fee, fee_open_currency: first.feeAsset },
      ...{ fee_close_cost: fee, fee_close_currency: first.feeAsset, close_date: time },
    });
    addOrder({
      ...{ ft_trade_id: id, side: first.side?.toLowerCase() ?? '', ft_pair: pair },
      ...{ order_id: orderId, filled: amount, order_filled_date: time },
      average: total((fill) => Number(fill.amount) * Number(fill.price)) / amount,
    });
  }
  close();
  return turned;
}
