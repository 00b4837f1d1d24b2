import { always } from '../../base/interval.ts';
import { hourMs, minuteMs } from '../../base/time.ts';
import { clientKey, type ExchangeClient } from '../../exchange/client.ts';
import { timeOf, type HistoryRecord } from '../../exchange/history/records.ts';
import { rowsIn } from '../../exchange/history/page.ts';
import { identityOf } from '../../exchange/recordIdentity.ts';
import type { LedgerHistory, LedgerWriter } from '../ledger.ts';
import { readPage } from './ledgerPages.ts';

/** `empty`: the ledger has nothing to compare; `undecided`: the exchange lists nothing that decides it. */
type AccountMatch = 'same' | 'other' | 'empty' | 'undecided';

/** Their records do not change, and lots are those of all accounts. */
const compared = [
  'trades',
  'futureTransactions',
  'spotTransactions',
] as const satisfies readonly LedgerHistory[];
const comparedRows = 10;

type Client = Pick<ExchangeClient, 'history' | 'conventions'>;

/**
 * Whether the newest records of a ledger are those of the account: the exchange is asked for their period,
 * a page for each history. Orders, which may change, are compared if there is nothing else, and prove no
 * other account. Rejects with ExchangeError or LedgerError.
 */
export async function compareAccount(
  { [clientKey]: client }: { readonly [clientKey]: Client },
  ledger: Pick<LedgerWriter, 'recordsIn'>,
): Promise<AccountMatch> {
  const matches: AccountMatch[] = [];
  for (const history of compared) matches.push(await compareHistory(client, ledger, history));
  if (matches.includes('other')) return 'other';
  if (matches.includes('same')) return 'same';
  const orders = await compareHistory(client, ledger, 'orders');
  if (orders === 'other') return 'undecided';
  return orders === 'empty' && matches.includes('undecided') ? 'undecided' : orders;
}

/** The ledger has every row of the period: another one shows another account. Rows outside the period show nothing. */
async function compareHistory(
  client: Client,
  ledger: Pick<LedgerWriter, 'recordsIn'>,
  history: LedgerHistory,
): Promise<AccountMatch> {
  const known = await ledger.recordsIn(history, always, comparedRows);
  const times = known.flatMap((record) => timeOf(record) ?? []);
  const newest = Math.max(...times);
  if (times.length === 0) return 'empty';
  const period = { from: Math.max(Math.min(...times), newest - hourMs), to: newest + minuteMs };
  const { rows } = await readPage(client, history, period, {});
  // Another account of the exchange may have an order of the same id.
  const listed = new Set(rows.map(({ id, time }) => `${id} ${time}`));
  const isListed = (record: HistoryRecord): boolean =>
    listed.has(`${identityOf(record)} ${timeOf(record)}`);
  if (known.some(isListed)) return 'same';
  const inPeriod = rowsIn(rows, { from: period.from, to: newest + 1 });
  return inPeriod.length > 0 ? 'other' : 'undecided';
}
