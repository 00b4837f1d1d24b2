import fc from 'fast-check';
import assert from 'node:assert/strict';
import { instruments, referencePrice } from '../../../../src/practice/market/instruments.ts';
import { maxMove, markPrice, maxSwing } from '../../../../src/practice/market/markPrice.ts';

const seeds = fc.integer({ min: 0, max: 1_000_000 });
const times = fc.integer({ min: 1_600_000_000_000, max: 2_500_000_000_000 });
const anInstrument = fc.constantFrom(...instruments);

describe('mark prices of the practice exchange', () => {
  it('depend on seed, instrument and second only, and change every second', () => {
    fc.assert(
      fc.property(seeds, anInstrument, times, (seed, instrument, time) => {
        const second = Math.floor(time / 1000) * 1000;
        const first = markPrice(seed, instrument, second);
        assert.ok(first.eq(markPrice(seed, instrument, second + 999)));
        assert.ok(!first.eq(markPrice(seed, instrument, second + 1000)), 'the next second differs');
      }),
    );
  });

  it('are on ticks and near the reference price', () => {
    fc.assert(
      fc.property(seeds, anInstrument, times, (seed, instrument, time) => {
        const price = markPrice(seed, instrument, time);
        assert.ok(price.mod(instrument.tickSize).eq(0));
        const away = price.minus(referencePrice(instrument)).abs();
        assert.ok(
          away.lte(referencePrice(instrument).times(maxSwing).plus(instrument.tickSize.times(3))),
        );
      }),
    );
  });

  it('never move further than maxMove', () => {
    const delays = fc.integer({ min: 0, max: 3_600_000 });
    fc.assert(
      fc.property(seeds, anInstrument, times, delays, (seed, instrument, time, delayMs) => {
        const move = markPrice(seed, instrument, time)
          .minus(markPrice(seed, instrument, time + delayMs))
          .abs();
        // A mark price is valid for a whole second.
        assert.ok(move.lte(referencePrice(instrument).times(maxMove(delayMs + 1000))));
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
