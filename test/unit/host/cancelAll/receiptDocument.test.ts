import assert from 'node:assert/strict';
import type { CancelReport } from '../../../../src/account/cancelAll/cancelAll.ts';
import { parseJson } from '../../../../src/base/exactJson.ts';
import { phrase } from '../../../../src/base/phrase.ts';
import type { CanceledOrder } from '../../../../src/exchange/records.ts';
import { receiptDocument } from '../../../../src/host/cancelAll/receiptDocument.ts';
import { documentMarkdown } from '../../../../src/host/webview/markdown.ts';
import { assertApproved, assertApprovedLines } from '../../../support/approved.ts';
import { anAccount, someLocked } from '../../../support/builders.ts';
import {
  aCanceledOrder,
  cancelAllUnderTest,
  failed,
  lastReport,
  noReceiptActions,
  reportOf,
  usedUpRateLimiter,
  type Script,
} from '../../../support/cancelAllUnderTest.ts';
import { aDisplay } from '../../../support/display.ts';
import { blockOf } from '../../../support/shownDocument.ts';
import { receiptTexts } from '../../../support/receiptTexts.ts';

const display = aDisplay();
const hiding = aDisplay({ hidesMoney: true });
const locked = [someLocked({ lockedBid: '7654321' })];
const arranged = { order: ['status'], hidden: ['symbol'], widths: {} };

/** With the returned orders as a table, so that each is in the approved file; the same id in each run. */
function shown({ receipt, ...report }: CancelReport, settings = display) {
  const named = { ...report, receipt: { ...receipt, id: 'receipt' } };
  return receiptDocument(named, settings, noReceiptActions);
}

const gridOf = (report: CancelReport, settings = display) =>
  blockOf(receiptDocument(report, settings, noReceiptActions, arranged), 'grid').rows;
const stepsOf = (report: CancelReport) => blockOf(shown(report), 'timeline').steps;

const badRecords = [
  {
    path: '$[1]',
    problem: phrase('$[1].amount should be a number and is a list'),
    record: parseJson(
      '{"orderId":7777,"status":"CANCELED","amount":["654321"],"filled":654321.10,"fee":654321,"side":{"n":654321},"updatedAt":654321}',
    ),
  },
];

describe('a receipt', () => {
  const refused = failed({ kind: 'refused', sent: 'yes', status: 403, serverWords: '…' });
  const unknown = failed({});
  const orders = [
    aCanceledOrder({ price: '1.10E-7' }),
    aCanceledOrder({ extra: { postOnly: true } }),
  ];
  const before = [
    someLocked(),
    someLocked({ symbol: 'eth_usdt', lockedAsk: '1.10', sumSizeAsk: '2' }),
  ];
  const scripts: Readonly<Record<string, Script>> = {
    done: { canceled: orders },
    partial: { locked: [before, locked] },
    refused: { canceled: refused },
    notSent: { canceled: failed({ sent: 'no' }), locked: [locked] },
    unknown: { canceled: unknown, locked: [locked] },
    unknownNothingLocked: { canceled: unknown },
    unknownNothingLockedAtLast: { canceled: unknown, locked: [locked, locked, []] },
    notVerified: { locked: [locked, failed({})] },
    unreadRecords: { canceled: [aCanceledOrder()], badRecords },
  };
  for (const [name, script] of Object.entries(scripts))
    it(`shows the outcome: ${name}`, async () => {
      assertApproved(`receipt/${name}`, shown(await lastReport(script)));
    });

  it('shows the re-checks as they happen', async () => {
    const script = { canceled: unknown, locked: [locked] };
    assertApproved('receipt/rechecking', shown(await lastReport(script, 2000)));
  });

  it('is in progress while the window waits for the answer, and unknown if it ended then', async () => {
    const { cancelAll, seen } = cancelAllUnderTest();
    await cancelAll.run();
    const sending = seen.changes[0] ?? assert.fail('no receipt');
    assertApproved('receipt/inProgress', shown(sending));
    assertApproved('receipt/abandoned', shown(reportOf(sending.receipt)));
  });

  it('says that it could not be stored', async () => {
    assertApproved('receipt/notStored', shown({ ...(await lastReport({})), isSaved: false }));
  });

  it('says why current figures were missing, and what was read last', async () => {
    const unreadable = failed({ kind: 'server', operation: 'accounts', status: 500 });
    for (const hasFigures of [false, true]) {
      const { cancelAll, report, world } = cancelAllUnderTest({ locked: [unreadable] });
      const account = anAccount({ orders: [someLocked()] });
      const asOf = Date.UTC(2025, 11, 31);
      if (hasFigures)
        world.account.store.replace({
          account,
          badRecords: [],
          asOf,
          readAt: asOf,
          sentAt: asOf,
          answeredAt: asOf,
        });
      await cancelAll.run();
      cancelAll.dispose();
      const name = hasFigures ? 'lastFigures' : 'noFigures';
      assertApproved(`receipt/${name}`, shown(reportOf(report())));
    }
  });

  it('hides what privacy hides', async () => {
    const script = { canceled: [aCanceledOrder()], badRecords, locked: [before, locked] };
    const masked = shown(await lastReport(script), hiding);
    assertApproved('receipt/hidden', masked);
    assert.doesNotMatch(receiptTexts(masked).join('\n'), /654/);
  });
});

describe('the timeline of a receipt', () => {
  it('counts pending and ended re-checks from the same time, also after a slow first read', async () => {
    const hanging = Promise.withResolvers<typeof locked>();
    const { cancelAll, clock, seen } = cancelAllUnderTest({
      canceled: failed({}),
      locked: [locked, () => hanging.promise, locked],
    });
    const running = cancelAll.run();
    await clock.advance(10_000);
    hanging.resolve(locked);
    await running;
    const checks = () => {
      const step = stepsOf(seen.changes.at(-1) ?? assert.fail('no receipt')).at(-1);
      return step?.checks.map(({ label }) => label.text);
    };
    assert.deepEqual(checks(), ['10 s', '12 s', '15 s', '25 s']);
    await clock.advance(15_000);
    assert.deepEqual(checks(), ['10 s', '12 s', '15 s', '25 s']);
  });

  it('counts no time below 0 if the clock was set back before the answer', async () => {
    const { receipt } = await lastReport({});
    const steps = stepsOf(reportOf({ ...receipt, endedAt: receipt.sentAt - 5000 }));
    assert.equal(steps[2]?.texts.at(-1), 'after 0 ms');
  });

  it('says why no other re-check may be stored, and promises none', async () => {
    const { receipt } = await lastReport({ canceled: failed({}), locked: [locked] }, 2000);
    assertApproved('receipt/recheckAbandoned', shown(reportOf(receipt)));
  });

  it('says that the limit had no room to read the account', async () => {
    const { cancelAll, report, world, openAccount } = cancelAllUnderTest();
    world.account = openAccount({ rateLimiter: usedUpRateLimiter() });
    await cancelAll.run();
    cancelAll.dispose();
    assertApproved('receipt/noRoom', shown(reportOf(report())));
  });
});

describe('what was locked, in a receipt', () => {
  it('is not said to be nothing by an account that does not list its orders', async () => {
    const problem = phrase('{0} should be {1} and {2}', '$.orders', 'a list', 'is missing');
    const unread = [{ path: '$.orders', problem }];
    const receipt = shown(await lastReport({ locked: [null], unread }));
    assertApproved('receipt/unreadOrders', receipt);
    assert.doesNotMatch(receiptTexts(receipt).join('\n'), /nothing/i);
  });
});

describe('the returned orders in a receipt', () => {
  const reportWith = (canceled: readonly CanceledOrder[]): Promise<CancelReport> =>
    lastReport({ canceled, badRecords });

  it('are rows of a grid, as the exchange wrote them; what the API does not name is in their details', async () => {
    const report = await reportWith([
      aCanceledOrder({ orderId: '7', price: '1.10E-7' }),
      aCanceledOrder({ extra: { postOnly: true, fee: '654.321' } }),
    ]);
    const grid = gridOf(report);
    const cellOf = ({ rows, columns }: typeof grid, row: number, name: string) =>
      rows[row]?.[columns.findIndex(({ field }) => field === name)];
    assert.deepEqual([cellOf(grid, 0, 'orderId'), cellOf(grid, 0, 'price')], ['7', '1.10E-7']);
    assert.deepEqual(grid.extras[1], [
      { name: 'postOnly', text: 'true' },
      { name: 'fee', text: '654.321' },
    ]);
    assert.deepEqual(grid.layout, { ...arranged, hidden: [] });
    const hidden = gridOf(report, hiding);
    assert.doesNotMatch(JSON.stringify(hidden), /654/);
    assert.equal(cellOf(hidden, 0, 'amount'), '•••');
    const none = receiptDocument(await reportWith([]), display, noReceiptActions, arranged);
    assert.ok(none.sections.every(({ blocks }) => blocks.every(({ kind }) => kind !== 'grid')));
  });

  it('are unknown when none could be read', async () => {
    const { receipt } = await reportWith([]);
    assert.equal(receipt.outcome, 'unknownNothingLocked');
    assertApproved('receipt/unreadAllRecords', shown(reportOf(receipt)));
  });
});

describe('a receipt as Markdown', () => {
  it('has the outcome, the timeline, what was locked, and every digit of the orders', async () => {
    const canceled = [aCanceledOrder({ price: '1.10E-7', amount: '-5' })];
    const { receipt } = await lastReport({ canceled, locked: [[someLocked()], []] });
    assertApprovedLines('receipt/markdown', [documentMarkdown(shown(reportOf(receipt)))]);
  });
});
