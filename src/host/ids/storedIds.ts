import type { CancellationToken } from 'vscode';
import type { IdPlace, LedgerReader } from '../../ledger/ledger.ts';
import type { IdInText, IdKind } from './idsInText.ts';

/** An id that the ledger has, and where. */
export type StoredId = { readonly id: string; readonly place: IdPlace };

/** The same, and its position in a text, which may write a UUID in upper case. */
type StoredIdInText = StoredId & Pick<IdInText, 'start' | 'end'>;

const orders: readonly IdPlace[] = [
  { history: 'orders', field: 'orderId' },
  // Of an order whose trades are known.
  { history: 'trades', field: 'orderId' },
];
const trades: readonly IdPlace[] = [{ history: 'trades', field: 'tradeId' }];
const transactions: readonly IdPlace[] = [
  { history: 'futureTransactions', field: 'transactionId' },
  { history: 'spotTransactions', field: 'transactionId' },
];

/** Where an id of each kind is looked up, in this order. */
const placesOfKind: Readonly<Record<IdKind, readonly IdPlace[]>> = {
  any: [...orders, ...trades, ...transactions],
  order: orders,
  trade: trades,
  transaction: transactions,
  uuid: [
    { history: 'orders', field: 'clientOrderId' },
    { history: 'futureTransactions', field: 'transactionUuid' },
    { history: 'spotTransactions', field: 'transactionUuid' },
  ],
};

/** Every place that an id may have. */
export const idPlaces: readonly IdPlace[] = [...placesOfKind.any, ...placesOfKind.uuid];

/** How many ids are looked up at once: a page of a panel waits for one lookup at most. */
const batchSize = 5000;

/** Those of the ids that the ledger has; none once the request is cancelled. */
export async function storedIds(
  named: readonly IdInText[],
  reader: Reader,
  token: Token,
): Promise<readonly StoredIdInText[]> {
  const stored: StoredIdInText[] = [];
  for (const [kind, ofKind] of Map.groupBy(named, (each) => each.kind)) {
    const places = await placesOf(kind, ofKind, reader, token);
    for (const { id: written, start, end } of ofKind) {
      const id = places.has(written) ? written : written.toLowerCase();
      const place = places.get(id);
      if (place) stored.push({ id, place, start, end });
    }
  }
  return token.isCancellationRequested ? [] : stored;
}

type Reader = Pick<LedgerReader, 'findIds'>;
type Token = Pick<CancellationToken, 'isCancellationRequested'>;

/** The place of each id that the ledger has. */
async function placesOf(
  kind: IdKind,
  named: readonly IdInText[],
  reader: Reader,
  token: Token,
): Promise<ReadonlyMap<string, IdPlace>> {
  const places = placesOfKind[kind];
  const spellings = new Set(named.map(({ id }) => id));
  // A text may write a UUID in upper case where the exchange writes it in lower case.
  if (kind === 'uuid') for (const { id } of named) spellings.add(id.toLowerCase());
  const ids = [...spellings];
  const found = new Map<string, IdPlace>();
  for (let start = 0; start < ids.length && !token.isCancellationRequested; start += batchSize) {
    const batch = ids.slice(start, start + batchSize);
    const indexes = await reader.findIds(places, batch);
    for (const [index, id] of batch.entries()) {
      const place = places[indexes[index] ?? -1];
      if (place) found.set(id, place);
    }
  }
  return found;
}
