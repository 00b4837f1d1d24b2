import assert from 'node:assert/strict';
import { jsonText } from '../../src/practice/http/jsonResponse.ts';
import { SeededRandom } from '../../src/practice/market/seededRandom.ts';
import { SimulatedExchange } from '../../src/practice/simulatedExchange.ts';
import { assertShowsEverything } from '../support/practiceDay.ts';
import { dayMs, movableClock } from '../unit/practice/movableClock.ts';

const [start, end] = [Date.UTC(2024, 0), Date.UTC(2034, 0)];
const random = new SeededRandom('practice days');
const moments = Array.from({ length: 1000 }, () => random.integer(start, end));

describe('the practice account in ten years', () => {
  const clock = movableClock();
  const exchange = new SimulatedExchange({ seed: 1, clock, weightLimit: 1000 });

  it('has something to show in every view on each of 1,000 random days', () => {
    for (const time of moments) {
      clock.moveTo(time);
      try {
        assertShowsEverything(exchange);
      } catch (cause) {
        throw new Error(`At ${new Date(time).toISOString()}`, { cause });
      }
    }
  });

  it('has a past that does not change', () => {
    const read = (dateFrom: number, dateTo: number) => {
      const period = { dateFrom, dateTo };
      return jsonText([
        exchange.orders(period, 0, 500),
        exchange.trades(period, 0, 500),
        exchange.lots(period, 0, 500),
        exchange.transactions({ ...period, accountType: 'FUTURE' }, 0, 500),
        exchange.transactions({ ...period, accountType: 'SPOT' }, 0, 500),
      ]);
    };
    for (const time of moments.filter((_, index) => index % 25 === 0)) {
      const from = time - 20 * dayMs;
      clock.moveTo(time);
      const before = read(from, time);
      clock.moveTo(time + 60 * dayMs);
      assert.equal(read(from, time), before, new Date(time).toISOString());
    }
  });
}).timeout(600_000);
