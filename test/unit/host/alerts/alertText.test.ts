import assert from 'node:assert/strict';
import type { Alert } from '../../../../src/account/alerts/alerts.ts';
import type { PositionAlert } from '../../../../src/account/alerts/positionAlerts.ts';
import { alertText, isErrorAlert } from '../../../../src/host/alerts/alertText.ts';
import { aDisplay } from '../../../support/display.ts';

const asOf = Date.UTC(2026, 10, 20, 12);

function aPositionAlert(fields: Partial<PositionAlert>): PositionAlert {
  return { symbol: 'a_usdt', band: 'near', isPast: false, distancePercent: '8', asOf, ...fields };
}

function textOf(alert: Alert): string {
  return alertText(alert, { name: 'Mine', environment: 'live' }, aDisplay());
}

describe('the text of an alert', () => {
  const past = aPositionAlert({
    symbol: 'past',
    band: 'critical',
    isPast: true,
    distancePercent: '25',
  });

  it('says that a position is past its liquidation price', () => {
    const alert = { kind: 'positions', positions: [past] } as const;
    assert.equal(
      textOf(alert),
      'LIVE · Mine: a position is close to liquidation: past 25 % past its liquidation price (critical), as of 12:00:00 UTC.',
    );
    assert.ok(isErrorAlert(alert));
  });

  it('lists the band and distance of the three positions closest to liquidation', () => {
    const others = [
      aPositionAlert({ symbol: 'b', band: 'critical', distancePercent: '1' }),
      ...['c', 'd', 'e'].map((symbol) => aPositionAlert({ symbol })),
    ];
    assert.equal(
      textOf({ kind: 'positions', positions: [past, ...others] }),
      'LIVE · Mine: 5 positions are close to liquidation: past 25 % past its liquidation price (critical), b 1 % (critical), c 8 % (near) and 2 more, as of 12:00:00 UTC.',
    );
  });

  for (const [by, text] of [
    [
      'order',
      'liquidated: a_usdt, b_usdt. The position is no longer listed, and the order history shows an order with status LIQUIDATED.',
    ],
    [
      'unread',
      'no longer listed: a_usdt, b_usdt. The order history could not be read completely, so it is unknown whether this was a liquidation. Check the order history.',
    ],
  ] as const)
    it(`about vanished positions says what the orders show: ${by}`, () => {
      const alert = { kind: 'liquidations', by, symbols: ['a_usdt', 'b_usdt'] } as const;
      assert.equal(textOf(alert), `LIVE · Mine: ${text}`);
      assert.ok(isErrorAlert(alert));
    });
});
