import assert from 'node:assert/strict';
import { always, openStart } from '../../../../src/base/interval.ts';
import { ExportFileError } from '../../../../src/account/export/exportFileError.ts';
import { planExport } from '../../../../src/account/export/exportPlan.ts';
import type { ExportResult } from '../../../../src/account/export/progress.ts';
import { defaultConventions } from '../../../../src/exchange/history/apiConventions.ts';
import { ExchangeError } from '../../../../src/exchange/exchangeError.ts';
import { assertApprovedLines } from '../../../support/approved.ts';
import { aDisplay } from '../../../support/display.ts';
import { ampleRateLimiter } from '../../../support/exchangeClient.ts';
import { someProfile } from '../../../support/testExporter.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { ExportProgress } from '../../../../src/host/export/exportCommand.ts';
import { exportFileName } from '../../../../src/host/export/exportQuestions.ts';
const { resultText, exportFailureText, progressText } =
  await import('../../../../src/host/export/exportText.ts');

const display = aDisplay();
const period = always;
const subject = { request: { operation: 'orders', filters: {} }, period } as const;
const account = {
  profile: someProfile,
  fingerprint: '1f3a',
  serverNow: () => Date.UTC(2026, 10, 20),
  conventions: { current: defaultConventions },
};
const plan = planExport(account, subject, 'csv');

const complete = { completeness: 'complete', reason: null } as const;
const result: ExportResult = {
  ...{ range: plan.range, startedAt: 0, rows: 1234, reads: 3, unmatched: {}, source: 'exchange' },
  badRecords: { atMost: 0, listed: [] },
  end: complete,
};
const unknown = (reason: ExportResult['end']['reason']): Partial<ExportResult> => ({
  end: { completeness: 'unknown', reason },
});
const ends: Readonly<Record<string, Partial<ExportResult>>> = {
  complete: { end: complete },
  'records not read': { ...unknown('unreadableRecords'), badRecords: { atMost: 2, listed: [] } },
  'one record not read': { ...unknown('unreadableRecords'), badRecords: { atMost: 1, listed: [] } },
  'filters ignored': { ...unknown('filterIgnored'), unmatched: { side: 12, symbol: 1 } },
  drifted: { end: { completeness: 'drifted', reason: null } },
  'no reason': unknown(null),
  'period ignored': unknown('endsIgnored'),
  'dates not verified': unknown('datesUndecided'),
};
const failures: readonly Error[] = [
  ...(['full', 'forbidden', 'missing'] as const).map(
    (problem) => new ExportFileError('target', { problem, code: 'E' }),
  ),
  new ExportFileError('storage', { problem: 'forbidden', code: 'EPERM' }),
  new ExportFileError('storage', { problem: 'busy', code: 'EBUSY' }),
  new ExchangeError({ kind: 'server', sent: 'yes', operation: 'orders', status: 503 }),
];

describe('the messages of an export', () => {
  it('say “all” only if every row is verified to be there, else why some may be missing', () => {
    const texts = Object.entries(ends).map(([name, fields]) => {
      return `${name}: ${resultText(plan, { ...result, ...fields }, 'orders.csv', display)}`;
    });
    const claims = texts.filter((text) => /\ball [\d,]+/.test(text));
    assert.deepEqual(claims, texts.slice(0, 1));
    assertApprovedLines('export/results', texts);
  });

  it('show rows, weight and time left in one line', () => {
    const lefts = [undefined, 59_000, 170_000, 2 * 3_600_000, 3 * 3_600_000 + 1];
    const lines = lefts.map((leftMs, index) => progressText(index * 1000, 240, leftMs, display));
    assertApprovedLines('export/progress', lines);
  });

  it('say what failed and what was saved', () => {
    const lines = failures.map((error) => exportFailureText(error, 500, display));
    lines.push(exportFailureText(failures[0], 0, display));
    assertApprovedLines('export/failures', lines);
  });
});

describe('the progress of an export', () => {
  it('shows the weight of its own reads, whatever else is read', () => {
    const messages: string[] = [];
    const rateLimiter = ampleRateLimiter();
    const shown = new ExportProgress({
      show: (_part, message = '') => void messages.push(message),
      session: { rateLimiter },
      plan: { operation: 'trades' },
      display: { current: display },
      clock: new FakeClock(),
    });
    shown.show({ rows: 50, reads: 2, part: 0 });
    assert.deepEqual(messages, ['0 rows · weight 0', '50 rows · weight 20']);
    rateLimiter.dispose();
  });
});

describe('the name of an exported file', () => {
  const range = { from: Date.UTC(2026, 10, 1), to: Date.UTC(2026, 10, 20, 21, 35, 4, 999) };

  it('has history, profile and period', () => {
    assert.equal(exportFileName(plan, range), 'orders-Main-20261101T000000Z-20261120T213504Z.csv');
    const parts = { ...plan, format: 'parquetParts' } as const;
    assert.equal(exportFileName(parts, range), 'orders-Main-20261101T000000Z-20261120T213504Z');
    const open = { ...range, from: openStart };
    assert.equal(exportFileName(plan, open), 'orders-Main-until-20261120T213504Z.csv');
  });

  it('has no character that a file system interprets', () => {
    for (const [profile, shown] of [
      ['../../etc/passwd', 'orders-etc-passwd'],
      ['C:\\x|y?*', 'orders-C-x-y'],
      ['Börse 1', 'orders-Börse-1'],
      ['💰', 'orders'],
      ['..', 'orders'],
    ] as const)
      assert.equal(exportFileName({ ...plan, profile }, range).replace(/-2026.*$/, ''), shown);
  });
});
