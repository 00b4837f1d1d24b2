import assert from 'node:assert/strict';
import { ExportFileError } from '../../../src/account/export/exportFileError.ts';
import { planExport } from '../../../src/account/export/exportPlan.ts';
import { noProgress, type Progress } from '../../../src/account/export/progress.ts';
import { defaultDialect } from '../../../src/exchange/dialect/dialect.ts';
import { ExchangeError } from '../../../src/exchange/errors.ts';
import { operations } from '../../../src/exchange/operations.ts';
import { someProfile } from '../../support/exportDesk.ts';
import { ampleLedger } from '../../support/exchangeClient.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { aDisplay } from '../../support/display.ts';
import { standInForVscode } from './panelsVscode.ts';

standInForVscode();
const { endWords, failureWords, progressWords } =
  await import('../../../src/host/commands/exportTableWords.ts');
const { ExportProgress } = await import('../../../src/host/commands/exportTableProgress.ts');
const { exportFileName } = await import('../../../src/host/commands/exportTableQuestions.ts');

const display = aDisplay();
const period = { from: undefined, to: undefined };
const subject = { request: { operation: 'orders', filters: {} }, period } as const;
const client = { serverNow: () => Date.UTC(2026, 10, 20), dialect: defaultDialect };
const plan = planExport({ profile: someProfile, fingerprint: '1f3a', client }, subject, 'csv');

function ended(fields: Partial<Progress>): string {
  const progress = { ...noProgress(plan.range, 0), rows: 1234, ...fields };
  return endWords(plan, progress, 'orders.csv', display);
}

describe('what is said of an export', () => {
  it('is “all” only when every row is known to be there', () => {
    const end = { completeness: 'complete', reason: null } as const;
    assert.equal(
      ended({ end }),
      'Exported all 1,234 matching rows of the order history of Main · LIVE to orders.csv.',
    );
    const badRecords = { atMost: 2, listed: [] };
    assert.equal(
      ended({ end, badRecords }),
      'Exported 1,234 rows of the order history of Main · LIVE to orders.csv. Up to 2 records could not be read and are missing; the .meta.json beside the file says which.',
    );
  });

  it('names the filters that the exchange did not heed', () => {
    const unmatched = { side: 12, symbol: 1 };
    for (const end of [
      { completeness: 'complete', reason: null },
      { completeness: 'unknown', reason: 'filterIgnored' },
    ] as const)
      assert.equal(
        ended({ end, unmatched }),
        'Exported 1,234 rows of the order history of Main · LIVE to orders.csv. The exchange did not heed the filter side: the file has 12 rows beside what was asked for. The exchange did not heed the filter symbol: the file has 1 row beside what was asked for.',
      );
  });

  for (const [completeness, reason, words] of [
    [
      'drifted',
      null,
      /Records changed while they were read, or the exchange counts more than it gave, so that some may be missing/,
    ],
    ['unknown', null, /Whether these are all is not known\.$/],
    ['unknown', 'endsIgnored', /is not known: the exchange gave rows outside the period\.$/],
    ['unknown', 'crowdedInstant', /is not known: so many rows have the same time/],
  ] as const) {
    it(`says plainly that it is ${completeness}, ${reason ?? 'without a reason'}`, () => {
      const text = ended({ end: { completeness, reason } });
      assert.match(text, words);
      assert.doesNotMatch(text, /\ball [\d,]+/);
    });
  }

  it('is one line while it runs: rows, weight, time left', () => {
    assert.equal(progressWords(0, 0, undefined, display), '0 rows · weight 0');
    assert.equal(
      progressWords(12_000, 240, 170_000, display),
      '12,000 rows · weight 240 · about 3 min left',
    );
    assert.equal(
      progressWords(1, 10, 59_000, display),
      '1 row · weight 10 · less than a minute left',
    );
    assert.match(progressWords(1, 10, 3 * 3_600_000 + 1, display), /about 4 h left$/);
  });

  for (const [error, words] of [
    [new ExportFileError('target', 'ENOSPC'), 'The disk of the chosen folder is full: make room,'],
    [
      new ExportFileError('target', 'EACCES'),
      'The system did not let the file be written: close it where',
    ],
    [new ExportFileError('target', 'ENOENT'), 'A file or folder is gone that was needed in the'],
    [new ExportFileError('partial', 'EPERM'), 'The system does not let files be written in the'],
    [new ExportFileError('partial', 'EBUSY'), 'The system could not write in the extension’s own'],
    [
      new ExchangeError({ kind: 'server', sent: 'yes', operation: 'orders', status: 503 }),
      'The exchange had a problem of its own during reading the order history (HTTP 503).',
    ],
  ] as const) {
    it(`says what failed and what is kept: ${words}`, () => {
      const text = failureWords(error, 500, display);
      assert.ok(text.startsWith(words), text);
      assert.ok(text.endsWith('500 rows are kept for 24 hours: export the same again to go on.'));
    });
  }
});

describe('the progress of an export', () => {
  it('counts what every request of it cost, also one sent again, and no other', () => {
    const messages: string[] = [];
    const ledger = ampleLedger();
    const shown = new ExportProgress({
      report: { report: ({ message }) => void messages.push(message) },
      session: { ledger },
      plan: { operation: 'trades' },
      first: noProgress(plan.range, 0),
      display: { current: display },
      clock: new FakeClock(),
    });
    const { path } = operations.trades;
    const one = { method: 'GET', parameterNames: [], durationMs: 1, weight: 10 } as const;
    shown.note({ ...one, path, priority: 'bulk', attempt: 1, result: '503 server' });
    shown.note({ ...one, path, priority: 'bulk', attempt: 2, result: '200' });
    shown.note({ ...one, path, priority: 'interactive', attempt: 1, result: '200' });
    shown.note({
      ...one,
      path: operations.orders.path,
      priority: 'bulk',
      attempt: 1,
      result: '200',
    });
    shown.show({ ...noProgress(plan.range, 0), rows: 50, reads: 1 });
    assert.deepEqual(messages, ['0 rows · weight 0', '50 rows · weight 20']);
    ledger.dispose();
  });
});

describe('the name of an exported file', () => {
  const range = { from: Date.UTC(2026, 10, 1), to: Date.UTC(2026, 10, 20, 21, 35, 4, 999) };

  it('is history, profile and period', () => {
    assert.equal(exportFileName(plan, range), 'orders-Main-20261101T000000Z-20261120T213504Z.csv');
    const open = { ...range, from: undefined };
    assert.equal(exportFileName(plan, open), 'orders-Main-until-20261120T213504Z.csv');
  });

  for (const [profile, shown] of [
    ['../../etc/passwd', 'etc-passwd'],
    ['C:\\x|y?*', 'C-x-y'],
    ['Börse 1', 'Börse-1'],
    ['💰', ''],
    ['..', ''],
  ] as const) {
    it(`has nothing of ${profile} that means something to a file system`, () => {
      const name = exportFileName({ ...plan, profile }, range);
      assert.equal(name.replace(/-2026.*$/, ''), shown === '' ? 'orders' : `orders-${shown}`);
    });
  }
});
