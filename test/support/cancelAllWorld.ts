import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { CancelReport } from '../../src/account/cancelAll/cancelAll.ts';
import { receiptField } from '../../src/account/cancelAll/receipts.ts';
import { cancelReportText } from '../../src/host/cancelAll/cancelAllCommand.ts';
import { outcomeText } from '../../src/host/cancelAll/outcomeText.ts';
import { anAccount, someLocked, wire } from './builders.ts';
import { aDisplay } from './display.ts';
import { canceledText, rowsOf } from './hostileExchange/rows.ts';

/** What an exchange does when the DELETE arrives: with which of two orders, and when. */
export const deeds = ['cancels all', 'cancels one', 'cancels none', 'cancels all later'] as const;
export type Deed = (typeof deeds)[number];

/** How it answers the DELETE; `body` lists the orders that it cancelled. */
export type DeleteAnswer = (socket: Socket, body: string) => unknown;

/** An HTTP answer as bytes, the last of its connection. */
export function http(
  status: number | string,
  body: string | Buffer,
  headers: Readonly<Record<string, string | number>> = {},
): Buffer {
  const all = {
    'content-type': 'application/json',
    connection: 'close',
    'content-length': Buffer.byteLength(body),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${status} X\r\n${lines.join('')}\r\n`;
  return Buffer.concat([Buffer.from(head), Buffer.from(body)]);
}

export const gzipped = (text: string): Buffer => gzipSync(text);

const symbols = ['btc_usdt', 'eth_usdt'] as const;
const rows = rowsOf('orders', 2, { fields: (index) => ({ symbol: `"${symbols[index]}"` }) });

/** An account with two open orders at an exchange that does one thing and says another. */
export class CancelAllWorld {
  deletes = 0;
  private open: readonly string[] = symbols;
  private reads = 0;
  private readonly deed: Deed;
  private readonly deleteAnswer: DeleteAnswer;

  constructor(deed: Deed, deleteAnswer: DeleteAnswer) {
    this.deed = deed;
    this.deleteAnswer = deleteAnswer;
  }

  answer({ method, socket }: IncomingMessage, response: ServerResponse): void {
    if (method === 'DELETE') this.cancel(socket);
    else response.end(this.account());
  }

  /** Fails if anything that is said now is not so. */
  assertTruth(report: CancelReport): void {
    const { open } = this;
    const canceled = symbols.length - open.length;
    const { outcome, canceled: returned, unread } = report.receipt;
    const records = [...returned, ...unread.map(({ record = [] }) => record)];
    const others = records.filter((record) => receiptField(record, 'status') !== 'CANCELED');
    const texts = [cancelReportText(report, aDisplay()), outcomeText(report.receipt, aDisplay())];
    for (const said of texts) {
      const context = `${outcome}: ${said} (open: ${open.join() || 'none'})`;
      assert.doesNotMatch(said, /not sent/i, context);
      if (outcome === 'done') assert.deepEqual([open.length, others], [0, []], context);
      if (said.includes('no order was cancelled')) assert.equal(canceled, 0, context);
      if (/nothing is locked/i.test(said)) assert.equal(open.length, 0, context);
      if (/still locked/i.test(said) && !/could not|reading/i.test(said))
        assert.notEqual(open.length, 0, context);
      if (canceled > 0) assert.notEqual(outcome, 'refused', context);
      if (records.length === 0) assert.doesNotMatch(said, /0 orders|no order was open/, context);
    }
  }

  private cancel(socket: Socket): void {
    this.deletes += 1;
    const left = { 'cancels all': [], 'cancels one': symbols.slice(1) } as const;
    this.open = this.deed in left ? left[this.deed as keyof typeof left] : symbols;
    const gone = rows.filter((_row, index) => !this.open.includes(symbols[index] ?? ''));
    const body = gone.map((row) => canceledText(row, '1763632800123')).join();
    this.deleteAnswer(socket, `[${body}]`);
  }

  private account(): string {
    this.reads += 1;
    const isLater = this.deed === 'cancels all later' && this.reads > 2;
    if (isLater) this.open = [];
    return wire(anAccount({ orders: this.open.map((symbol) => someLocked({ symbol })) }));
  }
}
