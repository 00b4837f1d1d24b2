import assert from 'node:assert/strict';
import fc from 'fast-check';
import { instruments, levelPrice } from '../../../src/practice/instruments.ts';
import { largestMove, markPrice, widestSwing } from '../../../src/practice/prices.ts';

const seeds = fc.integer({ min: 0, max: 1_000_000 });
const times = fc.integer({ min: 1_600_000_000_000, max: 2_500_000_000_000 });
const anInstrument = fc.constantFrom(...instruments);

describe('mark prices of the practice exchange', () => {
  it('are a function of seed, instrument and second', () => {
    fc.assert(
      fc.property(seeds, anInstrument, times, (seed, instrument, time) => {
        const second = Math.floor(time / 1000) * 1000;
        const first = markPrice(seed, instrument, second);
        assert.ok(first.eq(markPrice(seed, instrument, second + 999)));
        assert.ok(!first.eq(markPrice(seed, instrument, second + 1000)), 'the next second differs');
      }),
    );
  });

  it('differ between seeds', () => {
    const prices = [1, 2, 3].map((seed) => instruments.map((one) => markPrice(seed, one, 1.7e12)));
    assert.equal(new Set(prices.map(String)).size, 3);
  });

  it('lie on the tick and near the level', () => {
    fc.assert(
      fc.property(seeds, anInstrument, times, (seed, instrument, time) => {
        const price = markPrice(seed, instrument, time);
        assert.ok(price.mod(instrument.tick).eq(0));
        const away = price.minus(levelPrice(instrument)).abs();
        assert.ok(
          away.lte(levelPrice(instrument).times(widestSwing).plus(instrument.tick.times(3))),
        );
      }),
    );
  });

  it('never move further than they are said to', () => {
    const delays = fc.integer({ min: 0, max: 3_600_000 });
    fc.assert(
      fc.property(seeds, anInstrument, times, delays, (seed, instrument, time, delayMs) => {
        const move = markPrice(seed, instrument, time)
          .minus(markPrice(seed, instrument, time + delayMs))
          .abs();
        // A mark stands for a whole second.
        assert.ok(move.lte(levelPrice(instrument).times(largestMove(delayMs + 1000))));
      }),
    );
  });

  it('move a lot over three months', () => {
    for (const instrument of instruments) {
      const prices = Array.from({ length: 90 }, (_, day) =>
        Number(markPrice(1, instrument, 1.75e12 + day * 86_400_000)),
      );
      assert.ok(Math.max(...prices) / Math.min(...prices) > 1.1, instrument.symbol);
    }
  });
});
