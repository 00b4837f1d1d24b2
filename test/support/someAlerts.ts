import type { Alert } from '../../src/account/alerts/alerts.ts';
import type { PositionAlert } from '../../src/account/alerts/positionAlerts.ts';
import { ExchangeError } from '../../src/exchange/exchangeError.ts';

const noon = Date.UTC(2026, 10, 20, 12);

function aPositionAlert(fields: Partial<PositionAlert>): PositionAlert {
  const alert = { symbol: 'btc_usdt', band: 'near', isPast: false, distancePercent: '8' } as const;
  return { ...alert, asOf: noon, ...fields };
}

const near = aPositionAlert({});
const critical = aPositionAlert({ symbol: 'eth_usdt', band: 'critical', distancePercent: '1' });
const past = aPositionAlert({ band: 'critical', isPast: true, distancePercent: '25' });
const older = aPositionAlert({ symbol: 'sol_usdt', asOf: noon - 60_000 });
const symbols = ['btc_usdt', 'eth_usdt'];
const first = { seenAt: noon - 3_600_000, equity: '12012.5' };
const failure = new ExchangeError({ kind: 'network', sent: 'maybe', operation: 'accounts' });

/** Alerts of every kind, by what they are about. */
export const someAlerts: Readonly<Record<string, Alert>> = {
  'one position': { kind: 'positions', positions: [near] },
  'a position past its price': { kind: 'positions', positions: [past] },
  'more than three positions': { kind: 'positions', positions: [past, critical, near, near] },
  'figures of several times': { kind: 'positions', positions: [near, older] },
  'a liquidation in the orders': { kind: 'liquidations', by: 'order', symbols },
  'orders that were not read': { kind: 'liquidations', by: 'unread', symbols },
  'a fall of equity': { kind: 'equity', first, equity: '9876.54', asOf: noon, fallPercent: '17.7' },
  'no answers': { kind: 'connection', since: noon, failure },
};
