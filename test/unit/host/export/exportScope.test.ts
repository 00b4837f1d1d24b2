import assert from 'node:assert/strict';
import { always, openEnd, openStart } from '../../../../src/base/interval.ts';
import type { ExportQuery } from '../../../../src/account/export/exportPlan.ts';
import { lastDays } from '../../../../src/base/timeZone.ts';
import { exportScopeText } from '../../../../src/host/export/exportPreparation.ts';
import { aDisplay } from '../../../support/display.ts';

describe('the scope of an export', () => {
  const display = aDisplay();
  const now = Date.parse('2026-11-20T10:00Z');
  const everything = always;
  const scope = (query: Partial<ExportQuery>) =>
    exportScopeText(
      { request: { operation: 'trades', filters: {} }, period: everything, ...query },
      display,
      now,
    );

  it('names the rows, every filter and the days', () => {
    const request = { operation: 'trades', filters: { symbol: 'btc_usdt', side: 'BUY' } } as const;
    const period = lastDays(7, now, display.zone);
    assert.equal(
      scope({ request, period, matchingRows: 1232 }),
      '1,232 trades · btc_usdt · BUY · last 7 days',
    );
    assert.equal(scope({ period: lastDays(1, now, display.zone) }), 'trades · today');
  });

  it('has no count when the exchange gave none, and all days without a period', () => {
    const statuses = ['EXECUTED', 'CANCELED'];
    const request = {
      operation: 'orders',
      filters: { statuses },
    } as unknown as ExportQuery['request'];
    assert.equal(scope({ request }), 'orders · EXECUTED · CANCELED · all days');
  });

  it('names other periods by their ends', () => {
    const from = Date.parse('2026-11-01T00:00Z');
    const at = '2026-11-01 00:00:00 UTC';
    assert.equal(scope({ period: { from, to: openEnd } }), `trades · from ${at}`);
    assert.equal(scope({ period: { from: openStart, to: from } }), `trades · until ${at}`);
    assert.equal(
      scope({ period: { from, to: from + 1000 } }),
      `trades · ${at} – 2026-11-01 00:00:01 UTC`,
    );
  });

  it('shows hostile names as text', () => {
    const request = { operation: 'trades', filters: { symbol: 'a\u202eb\n' } } as const;
    assert.doesNotMatch(scope({ request }), /[\u202e\n]/);
  });
});
