import type { ExportQuery } from '../../../../src/account/export/exportPlan.ts';
import { always, openEnd, openStart } from '../../../../src/base/interval.ts';
import { lastDays } from '../../../../src/base/timeZone.ts';
import { exportScopeText } from '../../../../src/host/export/exportPreparation.ts';
import { assertApprovedLines } from '../../../support/approved.ts';
import { aDisplay } from '../../../support/display.ts';

const display = aDisplay();
const now = Date.parse('2026-11-20T10:00Z');
const from = Date.parse('2026-11-01T00:00Z');
const days = (count: number) => lastDays(count, now, display.zone);
const trades = (filters: object): Pick<ExportQuery, 'request'> => ({
  request: { operation: 'trades', filters },
});
const statuses = ['EXECUTED', 'CANCELED'];
const orders = { operation: 'orders', filters: { statuses } } as unknown as ExportQuery['request'];

const queries: readonly Partial<ExportQuery>[] = [
  { ...trades({ symbol: 'btc_usdt', side: 'BUY' }), period: days(7), matchingRows: 1232 },
  { period: days(1) },
  { request: orders },
  { period: { from, to: openEnd } },
  { period: { from: openStart, to: from } },
  { period: { from, to: from + 1000 } },
  trades({ symbol: 'a\u202eb\n' }),
];

describe('the scope of an export', () => {
  it('names the rows, with their count if that is known, every filter as plain text, and the period', () => {
    const lines = queries.map((query) =>
      exportScopeText({ ...trades({}), period: always, ...query }, display, now),
    );
    assertApprovedLines('export/scopes', lines);
  });
});
