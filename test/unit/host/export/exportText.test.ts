import assert from 'node:assert/strict';
import { always, openStart } from '../../../../src/base/interval.ts';
import { ExportFileError } from '../../../../src/account/export/exportFileError.ts';
import { planExport } from '../../../../src/account/export/exportPlan.ts';
import { initialProgress, type Progress } from '../../../../src/account/export/progress.ts';
import { defaultConventions } from '../../../../src/exchange/conventions/apiConventions.ts';
import { ExchangeError } from '../../../../src/exchange/exchangeError.ts';
import { operations } from '../../../../src/api/operations.ts';
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

function ended(fields: Partial<Progress>): string {
  const progress = { ...initialProgress(plan.range, 0), rows: 1234, ...fields };
  return resultText(plan, progress, 'orders.csv', display);
}

describe('the messages of an export', () => {
  it('say “all” only if every row is verified to be there', () => {
    const end = { completeness: 'complete', reason: null } as const;
    assert.equal(
      ended({ end }),
      'Exported all 1,234 matching rows of the order history of LIVE · Main to orders.csv.',
    );
    const badRecords = { atMost: 2, listed: [] };
    assert.equal(
      ended({ end, badRecords }),
      'Exported 1,234 rows of the order history of LIVE · Main to orders.csv. Up to 2 records could not be read and are missing. The .meta.json file lists them.',
    );
  });

  it('name the filters that the exchange ignored', () => {
    const unmatched = { side: 12, symbol: 1 };
    for (const end of [
      { completeness: 'complete', reason: null },
      { completeness: 'unknown', reason: 'filterIgnored' },
    ] as const)
      assert.equal(
        ended({ end, unmatched }),
        'Exported 1,234 rows of the order history of LIVE · Main to orders.csv. The exchange ignored the filter side. Rows in the file that do not match it: 12. The exchange ignored the filter symbol. Rows in the file that do not match it: 1.',
      );
  });

  for (const [completeness, reason, words] of [
    ['drifted', null, /Records changed while they were read\. Some may be missing/],
    ['unknown', null, /Rows may be missing\.$/],
    ['unknown', 'endsIgnored', /may be missing: the exchange returned rows outside the period\.$/],
    [
      'unknown',
      'datesUndecided',
      /may be missing: the date format of the exchange is not verified; run “Margin Desk: Test Connection”\.$/,
    ],
  ] as const) {
    it(`say that rows may be missing: ${completeness}, ${reason ?? 'without a reason'}`, () => {
      const text = ended({ end: { completeness, reason } });
      assert.match(text, words);
      assert.doesNotMatch(text, /\ball [\d,]+/);
    });
  }

  it('show rows, weight and time left in one line', () => {
    assert.equal(progressText(0, 0, undefined, display), '0 rows · weight 0');
    assert.equal(
      progressText(12_000, 240, 170_000, display),
      '12,000 rows · weight 240 · about 3 min left',
    );
    assert.equal(
      progressText(1, 10, 59_000, display),
      '1 row · weight 10 · less than a minute left',
    );
    assert.match(progressText(1, 10, 3 * 3_600_000 + 1, display), /about 4 h left$/);
  });

  for (const [error, words] of [
    [
      new ExportFileError('target', 'ENOSPC'),
      'The disk of the chosen folder is full. Free some space,',
    ],
    [
      new ExportFileError('target', 'EACCES'),
      'The file could not be written. Close it in other programs,',
    ],
    [
      new ExportFileError('target', 'ENOENT'),
      'A file or folder that the export needs is missing in the',
    ],
    [new ExportFileError('partial', 'EPERM'), 'No permission to write files in the'],
    [new ExportFileError('partial', 'EBUSY'), 'The system could not write in the extension’s own'],
    [
      new ExchangeError({ kind: 'server', sent: 'yes', operation: 'orders', status: 503 }),
      'Could not read the order history: the exchange returned an error (HTTP 503).',
    ],
  ] as const) {
    it(`say what failed and what was saved: ${words}`, () => {
      const text = exportFailureText(error, 500, display);
      assert.ok(text.startsWith(words), text);
      assert.ok(text.endsWith('500 rows saved for 24 hours; export again to resume.'));
    });
  }
});

describe('the progress of an export', () => {
  it('counts the weight of each of its requests, retries included', () => {
    const messages: string[] = [];
    const rateLimiter = ampleRateLimiter();
    const shown = new ExportProgress({
      show: (_part, message = '') => void messages.push(message),
      session: { rateLimiter },
      plan: { operation: 'trades' },
      first: initialProgress(plan.range, 0),
      display: { current: display },
      clock: new FakeClock(),
    });
    const { path } = operations.trades;
    const one = { method: 'GET', parameterNames: [], durationMs: 1, weight: 10 } as const;
    shown.addRequest({ ...one, path, priority: 'bulk', attempt: 1, result: '503 server' });
    shown.addRequest({ ...one, path, priority: 'bulk', attempt: 2, result: '200' });
    shown.addRequest({ ...one, path, priority: 'interactive', attempt: 1, result: '200' });
    shown.addRequest({
      ...one,
      path: operations.orders.path,
      priority: 'bulk',
      attempt: 1,
      result: '200',
    });
    shown.show({ ...initialProgress(plan.range, 0), rows: 50, reads: 1 });
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

  for (const [profile, shown] of [
    ['../../etc/passwd', 'etc-passwd'],
    ['C:\\x|y?*', 'C-x-y'],
    ['Börse 1', 'Börse-1'],
    ['💰', ''],
    ['..', ''],
  ] as const) {
    it(`has no character of ${profile} that a file system interprets`, () => {
      const name = exportFileName({ ...plan, profile }, range);
      assert.equal(name.replace(/-2026.*$/, ''), shown === '' ? 'orders' : `orders-${shown}`);
    });
  }
});
