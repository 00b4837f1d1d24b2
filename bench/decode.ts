import { parseJson } from '../src/base/exactJson.ts';
import { answers } from '../src/exchange/records.ts';
import { anOrder, wire } from '../test/support/builders.ts';
import { decode } from '../test/support/decode.ts';
import { medianTimeOf, type Figure } from './figures.ts';
import { sizes } from './sizes.ts';

const turns = 15;

/** What exact numbers cost: our reading of answers beside a `JSON.parse` that visits every value, but rounds. */
export async function decodeFigures(): Promise<Figure[]> {
  const content = Array.from({ length: 500 }, (_, index) => anOrder({ orderId: String(index) }));
  const page = `{"content":${wire(content)},"size":500,"totalPages":1,"totalElements":500}`;
  const broken = `[${Array<string>(sizes.brokenRecords).fill('{}').join(',')}]`;
  return [
    await besideJson('parse a page of 500 orders', page, parseJson, 4),
    await besideJson('parse and decode it', page, decodeOrders, 6),
    await besideJson(
      `parse and decode ${sizes.brokenRecords} empty records`,
      broken,
      decodeOrders,
      8,
    ),
  ];
}

function decodeOrders(text: string): unknown {
  return decode(answers.orders, parseJson(text));
}

async function besideJson(
  name: string,
  text: string,
  read: (text: string) => unknown,
  timesPeer: number,
): Promise<Figure> {
  const value = await medianTimeOf(turns, () => read(text));
  const visit = (_name: string, inner: unknown): unknown => inner;
  const parsed = await medianTimeOf(turns, () => JSON.parse(text, visit) as unknown);
  const peers = { 'JSON.parse with a reviver': parsed };
  return { name, unit: 'ms', value, peers, bar: { timesPeer } };
}
