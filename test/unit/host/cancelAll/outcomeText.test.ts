import assert from 'node:assert/strict';
import { phrase } from '../../../../src/base/phrase.ts';
import type { ErrorKind, Failure } from '../../../../src/exchange/exchangeError.ts';
import { cancelReportText } from '../../../../src/host/cancelAll/cancelAllCommand.ts';
import { outcomeText } from '../../../../src/host/cancelAll/outcomeText.ts';
import { assertApprovedLines } from '../../../support/approved.ts';
import { someLocked } from '../../../support/builders.ts';
import {
  aCanceledOrder,
  cancelAllUnderTest,
  failed,
  lastReport,
  reportOf,
  type Script,
} from '../../../support/cancelAllUnderTest.ts';
import { aDisplay } from '../../../support/display.ts';

const display = aDisplay();
const locked = [someLocked({ lockedBid: '7654321' })];
const lost = failed({});

/** How each kind of failure leaves the result of a cancel-all unknown. */
const failures: readonly (readonly [ErrorKind, Partial<Failure>])[] = [
  ['auth', { status: 403 }],
  ['auth', { status: 403, isFromGateway: true }],
  ['refused', { status: 400 }],
  ['refused', { status: 409, serverWords: 'no' }],
  ['refused', { status: 400, isFromGateway: true }],
  ['refused', { status: 407, isFromGateway: true }],
  ['rateLimited', { status: 429, isFromGateway: true, retryAfterMs: 2500 }],
  ['network', { sent: 'maybe', detail: 'ECONNRESET' }],
  ['network', { sent: 'maybe' }],
  ['network', { sent: 'maybe', connection: 'certificate' }],
  ['timeout', { sent: 'maybe' }],
  ['timeout', { status: 408, isFromGateway: true }],
  ['server', { status: 500, serverWords: 'no' }],
  ['server', { status: 502, isFromGateway: true }],
  ['malformed', { status: 200, detail: phrase('{0} is missing', '$') }],
  ['malformed', { status: 202, detail: phrase('HTTP {0}', 202), serverWords: 'no' }],
  ['tooLarge', { status: 200, detail: phrase('{0} MB', 8) }],
  ['redirected', { status: 302, detail: 'elsewhere.example', isFromGateway: true }],
];

describe('what is said of a cancel-all', () => {
  const unread = [{ path: '$.orders[0]', problem: phrase('{0} is missing', '$.orders[0]') }];
  const unreadable = failed({ kind: 'server', sent: 'yes', operation: 'accounts', status: 500 });
  const scripts: Readonly<Record<string, Script>> = {
    done: { canceled: [aCanceledOrder()], locked: [locked, []] },
    'done, nothing was open': {},
    'done, nothing was read before': { locked: [unreadable, []] },
    'done, a part was not read before': { unread },
    'done, other statuses': {
      canceled: [aCanceledOrder(), aCanceledOrder({ status: 'EXECUTED' })],
    },
    'done, a record not read': { canceled: [aCanceledOrder()], badRecords: unread },
    'still locked': { locked: [[], locked] },
    'not read back': { locked: [locked, lost] },
    'not sent': { canceled: failed({ sent: 'no' }) },
    refused: { canceled: failed({ kind: 'refused', sent: 'yes', status: 403, serverWords: 'no' }) },
    'unknown, locked after 15 s': { canceled: lost, locked: [[], locked] },
    'unknown, read once': { canceled: lost, locked: [[], locked, lost] },
    'unknown, read late': { canceled: lost, locked: [[], lost, locked] },
    'unknown, nothing locked': { canceled: lost, locked: [locked, locked, []] },
  };

  it('is how it ended and what is locked since, in the list and as a notification', async () => {
    const lines: string[] = [];
    for (const [name, script] of Object.entries(scripts)) {
      const report = await lastReport(script);
      lines.push(`# ${name}`, outcomeText(report.receipt, display));
      lines.push(cancelReportText(report, display));
    }
    const atFirst = await lastReport({ canceled: lost, locked: [[], locked] }, 0);
    lines.push('# unknown, before the re-checks', cancelReportText(atFirst, display));
    const { receipt } = await lastReport({});
    const profile = 'A profile with a long name';
    const unsaved = reportOf({ ...receipt, profile }, { isSaved: false });
    lines.push('# not stored', cancelReportText(unsaved, display));
    assertApprovedLines('cancelAll/outcomes', lines);
  });

  it('is why the result is unknown, after each kind of failure', async () => {
    const lines: string[] = [];
    for (const [kind, failure] of failures) {
      const { cancelAll, report } = cancelAllUnderTest({
        canceled: failed({ kind, sent: 'yes', ...failure }),
      });
      await cancelAll.run();
      cancelAll.dispose();
      lines.push(`${kind}: ${outcomeText(report(), display)}`);
    }
    assertApprovedLines('cancelAll/unknown', lines);
  });

  it('masks what is locked in privacy mode', async () => {
    const hidden = aDisplay({ hidesMoney: true });
    for (const canceled of [[], lost]) {
      const { receipt } = await lastReport({ canceled, locked: [[], locked] });
      assert.match(outcomeText(receipt, hidden), /: btc_usdt: Buy ••• · ••• locked/);
      assert.doesNotMatch(outcomeText(receipt, hidden), /7,?654/);
    }
  });

  it('names whole entries of a long list, and says how many more there are', async () => {
    const figure = `1234567.${'9'.repeat(300)}`;
    for (const lockedBid of ['7654321', figure, `${figure}${'1'.repeat(91)}`]) {
      const many = Array.from({ length: 40 }, (_, index) =>
        someLocked({ symbol: `coin${index}_usdt`, lockedBid, sumSizeBid: lockedBid }),
      );
      for (const canceled of [[], lost]) {
        const { receipt } = await lastReport({ canceled, locked: [[], many] }, 0);
        const words = outcomeText(receipt, display);
        const [, list = '', more] = / (coin0_usdt: .*) and (\d+) more\./.exec(words) ?? [];
        const entries = list.split('; ');
        assert.equal(entries.length + Number(more), 40);
        const shown = display.compact('lockedBid', lockedBid);
        assert.deepEqual(
          entries,
          entries.map((_, index) => `coin${index}_usdt: Buy ${shown} · ${shown} locked`),
        );
      }
    }
  });
});
