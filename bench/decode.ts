import { performance } from 'node:perf_hooks';
import { parseJson } from '../src/base/exactJson.ts';
import { answers } from '../src/exchange/records.ts';
import { decode } from '../test/support/decode.ts';
import { anOrder, wire } from '../test/support/builders.ts';
import { median, type Figure } from './figures.ts';

const rounds = 15;

/** What exact numbers cost: our reading of a page of 500 orders beside `JSON.parse`, which rounds; and a page of nothing but bad records. */
export function decodeFigures(): Figure[] {
  const content = Array.from({ length: 500 }, (_, index) => anOrder({ orderId: String(index) }));
  const text = `{"content":${wire(content)},"size":500,"totalPages":1,"totalElements":500}`;
  const times = {
    rounding: [] as number[],
    exact: [] as number[],
    decoded: [] as number[],
    broken: [] as number[],
  };
  const broken = `[${Array<string>(100_000).fill('{}').join(',')}]`;
  for (let round = 0; round < rounds; round += 1) {
    times.rounding.push(timeMs(() => JSON.parse(text) as unknown));
    times.exact.push(timeMs(() => parseJson(text)));
    times.decoded.push(timeMs(() => decode(answers.orders, parseJson(text))));
    times.broken.push(timeMs(() => decode(answers.orders, parseJson(broken))));
  }
  const baselineMs = median(times.rounding);
  return [
    { name: 'JSON.parse of 500 orders (rounds)', value: baselineMs, unit: 'ms' },
    {
      name: 'parseJson (exact), times JSON.parse',
      value: median(times.exact) / baselineMs,
      unit: '×',
    },
    {
      name: 'parseJson and decode, times JSON.parse',
      value: median(times.decoded) / baselineMs,
      unit: '×',
    },
    {
      name: 'parseJson and decode of 100,000 records that break their type',
      value: median(times.broken),
      unit: 'ms',
      bar: { is: 'at most', value: 300 },
    },
  ];
}

function timeMs(run: () => unknown): number {
  const startedAt = performance.now();
  run();
  return performance.now() - startedAt;
}
