import type { Clock } from '../../base/clock.ts';
import { epochMsOf } from '../../base/instant.ts';
import type { Order } from '../../exchange/records.ts';
import { fieldTexts } from '../fieldTexts.ts';
import type { Evidence } from '../receipts.ts';
import type { CancelAccount } from './account.ts';

/** For clocks that are known to a second or so. */
const marginMs = 2000;
const pageSize = 100;

/**
 * Reads one page of the order history (section 4.1) for what was CANCELED since a request was sent.
 * It adds to what is known and proves nothing: whose cancel it was is not told, nor whether an order
 * is dated by its placing. Null when it cannot be read, also where that would cost what is kept for
 * the next cancel-all.
 */
export async function readEvidence(
  { client, scrub }: CancelAccount,
  sentAt: number,
  clock: Clock,
): Promise<Evidence | null> {
  const since = sentAt + client.serverNow() - clock.now() - marginMs;
  const size = Math.min(pageSize, client.dialect.maxPageSize ?? pageSize);
  const query = { statuses: ['CANCELED'], dateFrom: since, page: 0, size };
  try {
    const { value, badRecords } = await client.at('interactive').orders(query);
    const orders = value.content.filter((order) => isCanceledSince(order, since));
    return {
      readAt: clock.now(),
      since,
      mayBeMore: value.content.length + badRecords.length >= size,
      orders: orders.map((order) => fieldTexts(order, scrub)),
      unread: badRecords.length,
    };
  } catch {
    return null;
  }
}

/** An exchange may not understand the filters. */
function isCanceledSince({ status, time }: Order, since: number): boolean {
  return status === 'CANCELED' && (epochMsOf(time) ?? -Infinity) >= since;
}
