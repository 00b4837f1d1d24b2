import assert from 'node:assert/strict';
import type { Order } from '../../src/exchange/records.ts';
import { idsInText, storedIds } from '../../src/host/ids/storedIds.ts';
import type { LedgerReader } from '../../src/ledger/ledger.ts';
import { anOrder } from './builders.ts';

/** Texts of words that have the shape of an id, in which ids of some orders stand here and there. */
export class RandomTexts {
  private readonly next = randomNumbers();
  readonly orders: readonly Order[] = Array.from({ length: 2000 }, () => {
    const orderId = `1${this.next()}${this.next()}`.slice(0, 12 + (this.next() % 9));
    return anOrder({ orderId, clientOrderId: randomUuid(this.next) });
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
    const { next, ids } = this;
    let text = '';
    let planted = 0;
    while (text.length < length) {
      const isOwn = next() % 1000 === 0;
      if (isOwn) planted += 1;
      text += ` ${isOwn ? ids[next() % ids.length] : randomWord(next)}`;
    }
    return { text, planted };
  }
}

/** The same numbers of 32 bits in every run, with ten digits for most of them. */
function randomNumbers(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    // The lowest bits repeat soon.
    return (state ^ (state >>> 15)) >>> 0;
  };
}

/** Much of it has the shape of an id. */
function randomWord(next: () => number): string {
  const digits = `${next()}${next()}`.slice(0, 1 + (next() % 20));
  const words = [digits, digits, `order ${digits}`, `0.${digits}`, `x${digits}`];
  return words[next() % 6] ?? randomUuid(next);
}

function randomUuid(next: () => number): string {
  const hex = (): string => next().toString(16).padStart(8, '0');
  const [middle, end] = [hex(), hex()];
  const groups = [middle.slice(0, 4), middle.slice(4), end.slice(0, 4)];
  return `${hex()}-${groups.join('-')}-${end.slice(4)}${hex()}`;
}
