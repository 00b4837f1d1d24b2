import { SeededRandom } from '../../../src/practice/market/seededRandom.ts';
import { SimulatedExchange } from '../../../src/practice/simulatedExchange.ts';
import { assertShowsEverything } from '../../support/practiceDay.ts';
import { dayMs, movableClock } from './movableClock.ts';

/** test/soak/practiceDays.test.ts checks 1,000 days of ten years. */
describe('the practice account', () => {
  it('has something to show in every view on each of 20 days', () => {
    const clock = movableClock();
    const exchange = new SimulatedExchange({ seed: 1, clock, weightLimit: 1000 });
    const random = new SeededRandom('days');
    for (let day = 0; day < 20; day++) {
      clock.moveTo(Date.UTC(2026, 10, 22 + 3 * day) + random.integer(0, dayMs - 1));
      assertShowsEverything(exchange);
    }
  });
});
