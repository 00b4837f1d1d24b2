import { SeededRandom } from '../../../src/practice/market/seededRandom.ts';
import { SimulatedExchange } from '../../../src/practice/simulatedExchange.ts';
import { assertShowsEverything } from '../../support/practiceDay.ts';
import { movableClock } from './movableClock.ts';

/** The soak checks 1,000 days of ten years: test/soak/practiceDays.test.ts. */
describe('the practice account', () => {
  it('has something to show in every view on a day of the first and the last of ten years', () => {
    const clock = movableClock();
    const exchange = new SimulatedExchange({ seed: 1, clock, weightLimit: 1000 });
    const random = new SeededRandom('days');
    for (const year of [2024, 2033]) {
      clock.moveTo(random.integer(Date.UTC(year, 0), Date.UTC(year + 1, 0) - 1));
      assertShowsEverything(exchange);
    }
  });
});
