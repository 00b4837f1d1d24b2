import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import {
  serveExchange,
  type ServeOptions,
  type ServedExchange,
} from '../../../src/practice/http/practiceServer.ts';
import { movableClock, type MovableClock } from './movableClock.ts';

export type Answer = { status: number; headers: Headers; text: string; body: unknown };
export type Row = Record<'symbol' | 'side' | 'type' | 'status', string> & { time: number };
export type PageOf<Item> = {
  content: Item[];
  size: number;
  totalPages: number;
  totalElements: number;
};
export type RowPage = PageOf<Row>;
type ErrorBody = Record<'timestamp' | 'error' | 'message' | 'path', string> & { status: number };

export const historyPath = '/api/v1/orders/history';

/** A practice exchange with a movable clock, and a client that signs requests. */
export class ServerUnderTest {
  readonly exchange: ServedExchange;
  readonly clock: MovableClock;

  private constructor(exchange: ServedExchange, clock: MovableClock) {
    this.exchange = exchange;
    this.clock = clock;
  }

  static async start(options: Partial<ServeOptions> = {}): Promise<ServerUnderTest> {
    const clock = movableClock();
    const all = { seed: 1, clock, weightLimit: 100_000, ...options };
    return new ServerUnderTest(await serveExchange(all), clock);
  }

  close(): Promise<void> {
    return this.exchange.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  sign(query: string): string {
    return createHmac('sha256', this.exchange.apiSecret).update(query).digest('hex');
  }

  async send(target: string, init: RequestInit = {}): Promise<Answer> {
    const response = await fetch(this.exchange.url + target, init);
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
  }

  sendSigned(path: string, query = '', method = 'GET'): Promise<Answer> {
    const signed = `${query}${query && '&'}timestamp=${this.clock.now()}`;
    const target = `${path}?${signed}&signature=${this.sign(signed)}`;
    return this.send(target, { method, headers: { 'X-API-KEY': this.exchange.apiKey } });
  }

  /** A page of the order history. */
  rows(query: string): Promise<RowPage> {
    return this.page<Row>(historyPath, query);
  }

  /** A page of any history. */
  async page<Item>(path: string, query: string): Promise<PageOf<Item>> {
    const { status, body, text } = await this.sendSigned(path, query);
    assert.equal(status, 200, text);
    return body as PageOf<Item>;
  }
}

/** Asserts this status, the shape of an error body, and a message that matches `word`. */
export async function assertRejected(
  answer: Promise<Answer>,
  status: number,
  word: RegExp,
): Promise<ErrorBody> {
  const { body, headers, status: found } = await answer;
  const error = body as ErrorBody;
  assert.equal(found, status, error.message);
  assert.equal(headers.get('content-type'), 'application/json');
  assert.deepEqual(Object.keys(error), ['timestamp', 'status', 'error', 'message', 'path']);
  assert.equal(error.status, status);
  assert.match(error.message, word);
  assert.ok(!error.path.includes('?'));
  return error;
}
