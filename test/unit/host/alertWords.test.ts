import assert from 'node:assert/strict';
import type { DangerAlert } from '../../../src/account/alerts/danger.ts';
import { aDisplay } from '../../support/display.ts';
import { standInForVscode } from './panelsVscode.ts';

standInForVscode();
const { alertWords, isUrgent } = await import('../../../src/host/alerts/alertWords.ts');

const asOf = Date.UTC(2026, 10, 20, 12);

function aDanger(fields: Partial<DangerAlert>): DangerAlert {
  return { symbol: 'a_usdt', band: 'near', isPast: false, distancePercent: '8', asOf, ...fields };
}

function words(...positions: DangerAlert[]): string {
  const profile = { name: 'Mine', environment: 'live' } as const;
  return alertWords({ kind: 'positions', positions }, profile, aDisplay());
}

describe('what an alert says of positions', () => {
  const past = aDanger({ symbol: 'past', band: 'critical', isPast: true, distancePercent: '25' });

  it('is that one is past its liquidation price, as its row says', () => {
    assert.equal(
      words(past),
      'Mine · LIVE: a position is in danger of liquidation: past 25.00 % past its liquidation price (critical), as of 12:00:00 UTC.',
    );
    assert.ok(isUrgent({ kind: 'positions', positions: [past] }));
  });

  it('is the band and distance of each, the worst of many by name', () => {
    const others = [
      aDanger({ symbol: 'b', band: 'critical', distancePercent: '1' }),
      ...['c', 'd', 'e'].map((symbol) => aDanger({ symbol })),
    ];
    assert.equal(
      words(past, ...others),
      'Mine · LIVE: 5 positions are in danger of liquidation: past 25.00 % past its liquidation price (critical), b 1.00 % (critical), c 8.00 % (near) and 2 more, as of 12:00:00 UTC.',
    );
  });
});
