import assert from 'node:assert/strict';
import type { Order } from '../../src/exchange/records.ts';
import { idsInText, storedIds } from '../../src/host/ids/storedIds.ts';
import type { LedgerReader } from '../../src/ledger/ledger.ts';
import { SeededRandom } from '../../src/practice/market/seededRandom.ts';
import { anOrder } from './builders.ts';

/** Texts of words that have the shape of an id, in which ids of some orders stand here and there. */
export class RandomTexts {
  private readonly random = new SeededRandom('texts');
  readonly orders: readonly Order[] = Array.from({ length: 2000 }, () => {
    const orderId = `1${this.digits(this.random.integer(11, 19))}`;
    return anOrder({ orderId, clientOrderId: this.random.uuid() });
  });
  private readonly ids = this.orders.flatMap(({ orderId, clientOrderId }) => [
    orderId,
    clientOrderId ?? '',
  ]);

  /**
   * How many ids a new text of this length has that the ledger has. Fails if one of them is none of the
   * orders, or if one of those that were written into the text is not found.
   */
  async linksIn(length: number, reader: Pick<LedgerReader, 'findIds'>): Promise<number> {
    const own = new Set(this.ids);
    const { text, planted } = this.text(length);
    const found = await storedIds(idsInText(text), reader, { isCancellationRequested: false });
    for (const { id, start, end } of found)
      assert.ok(own.has(id) && text.slice(start, end) === id, text.slice(start - 9, end));
    assert.equal(found.length, planted);
    return planted;
  }

  private text(length: number): { text: string; planted: number } {
    const { random, ids } = this;
    let text = '';
    let planted = 0;
    while (text.length < length) {
      const isOwn = random.integer(1, 1000) === 1;
      if (isOwn) planted += 1;
      text += ` ${isOwn ? ids[random.integer(0, ids.length - 1)] : this.word()}`;
    }
    return { text, planted };
  }

  /** Much of it has the shape of an id. */
  private word(): string {
    const digits = this.digits(this.random.integer(1, 20));
    const words = [digits, digits, `order ${digits}`, `0.${digits}`, `x${digits}`];
    return words[this.random.integer(0, 5)] ?? this.random.uuid();
  }

  private digits(count: number): string {
    const half = () => this.random.integer(1e9, 1e10 - 1);
    return `${half()}${half()}`.slice(0, count);
  }
}
