import assert from 'node:assert/strict';
import type { CancelReport } from '../../../../src/account/cancelAll/cancelAll.ts';
import { parseJson } from '../../../../src/base/exactJson.ts';
import { phrase } from '../../../../src/base/phrase.ts';
import type { CanceledOrder } from '../../../../src/exchange/records.ts';
import { outcomeSeverity, outcomeText } from '../../../../src/host/cancelAll/outcomeText.ts';
import { receiptDocument } from '../../../../src/host/cancelAll/receiptDocument.ts';
import type { DocumentTable } from '../../../../src/protocol/documentTable.ts';
import { anAccount, someLocked } from '../../../support/builders.ts';
import {
  aCanceledOrder,
  cancelAllUnderTest,
  failed,
  reportOf,
  usedUpRateLimiter,
  type Script,
} from '../../../support/cancelAllUnderTest.ts';
import { aDisplay } from '../../../support/display.ts';
import { receiptTexts } from '../../../support/receiptTexts.ts';

const display = aDisplay();
const locked = [someLocked({ lockedBid: '7654321' })];

/** The last version of the receipt of a cancel-all, some time after it. */
async function lastReport(script: Script, laterMs = 15_000): Promise<CancelReport> {
  const { cancelAll, clock, seen } = cancelAllUnderTest(script);
  await cancelAll.run();
  await clock.advance(laterMs);
  cancelAll.dispose();
  return seen.changes.at(-1) ?? assert.fail('no receipt');
}

async function documentOf(script: Script, laterMs?: number) {
  return receiptDocument(await lastReport(script, laterMs), display);
}

const rowsOf = (table: DocumentTable | undefined): string[][] =>
  (table ?? assert.fail('no table')).rows.map((cells) => cells.map(({ text }) => text));
const labelsOf = (table: DocumentTable | undefined): string[] =>
  (table ?? assert.fail('no table')).columns.map(({ label }) => label);

describe('the outcome in a receipt', () => {
  it('is an icon, a word and a colour for each', async () => {
    const unknown = failed({});
    const scripts: Readonly<Record<string, Script>> = {
      'done, done, information': { canceled: [aCanceledOrder()] },
      'partial, partial, warning': { locked: [locked] },
      'refused, refused, error': {
        canceled: failed({ kind: 'refused', sent: 'yes', status: 403, serverWords: '…' }),
      },
      'notSent, not sent, error': { canceled: failed({ sent: 'no' }) },
      'unknown, unknown, error': { canceled: unknown, locked: [locked] },
      'unknown, unknown; nothing locked, warning': { canceled: unknown },
      'unknown, answered, not verified, error': { locked: [[], failed({})] },
    };
    for (const [expected, script] of Object.entries(scripts)) {
      const { icon, word, tone } = (await documentOf(script)).outcome;
      assert.equal([icon, word, tone].join(', '), expected);
    }
  });

  it('ends with what is locked by the last read, and its time', async () => {
    const { outcome } = await documentOf({ canceled: failed({}), locked: [locked] });
    assert.deepEqual(outcome.sentences.slice(1), [
      'Still locked after 15 s: btc_usdt: Buy 2 · 7,654,321 locked.',
    ]);
    assert.equal(outcome.asOf, 'As of 00:00:15 UTC.');
  });

  it('is in progress while the window waits for the answer, and unknown if it ended then', async () => {
    const { cancelAll, seen } = cancelAllUnderTest();
    await cancelAll.run();
    const sending = seen.changes[0] ?? assert.fail('no receipt');
    assert.equal(receiptDocument(sending, display).outcome.word, 'in progress');
    const abandoned = receiptDocument(reportOf(sending.receipt), display);
    assert.equal(abandoned.outcome.word, 'sent, outcome unknown');
    const [, , answered] = abandoned.timeline.steps;
    assert.deepEqual(answered?.texts, ['No answer was stored']);
  });

  it('says that it could not be stored', async () => {
    const report = await lastReport({});
    assert.deepEqual(receiptDocument(report, display).notes, []);
    const [note] = receiptDocument({ ...report, isSaved: false }, display).notes;
    assert.match(note ?? '', /could not be stored/);
  });
});

describe('the timeline of a receipt', () => {
  const checksAfter = async (laterMs: number) => {
    const { timeline } = await documentOf({ canceled: failed({}), locked: [locked] }, laterMs);
    const last = timeline.steps.at(-1) ?? assert.fail('no step');
    return [last.state, ...last.checks.map(({ label, state }) => `${label.text} ${state}`)];
  };

  it('shows the re-checks as they happen, and claims none that is over', async () => {
    const waiting = ['2 s pending', '5 s pending', '15 s pending'];
    assert.deepEqual(await checksAfter(0), ['pending', '0 s problem', ...waiting]);
    const after2 = ['0 s problem', '2 s problem'];
    assert.deepEqual(await checksAfter(2000), ['pending', ...after2, ...waiting.slice(1)]);
    assert.deepEqual(await checksAfter(15_000), [
      'problem',
      ...after2,
      '5 s problem',
      '15 s problem',
    ]);
  });

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
      const report = seen.changes.at(-1) ?? assert.fail('no receipt');
      const step = receiptDocument(report, display).timeline.steps.at(-1);
      return step?.checks.map(({ label }) => label.text);
    };
    assert.deepEqual(checks(), ['10 s', '12 s', '15 s', '25 s']);
    await clock.advance(15_000);
    assert.deepEqual(checks(), ['10 s', '12 s', '15 s', '25 s']);
  });

  it('says why no other re-check may be stored, and promises none', async () => {
    const { receipt } = await lastReport({ canceled: failed({}), locked: [locked] }, 2000);
    const step = receiptDocument(reportOf(receipt), display).timeline.steps.at(-1);
    assert.deepEqual(
      step?.checks.map(({ state }) => state),
      ['problem', 'problem'],
    );
    assert.match(
      step.texts.join(),
      /^No other re-check is stored: .*another window still re-checks/,
    );
  });

  it('has each of its times in the chosen zone and in the other', async () => {
    const { receipt } = await lastReport({});
    const tokyo = aDisplay({ timeZone: 'Asia/Tokyo', otherTimeZone: 'UTC' });
    const { timeline, sentAt } = receiptDocument(reportOf(receipt), tokyo);
    const both =
      'Thursday, January 1, 2026 · 2026-01-01 09:00:00.000 UTC+9 · 2026-01-01 00:00:00.000 UTC';
    assert.equal(sentAt, both);
    const times = timeline.steps.flatMap(({ at, checks }) => [
      at,
      ...checks.map((one) => one.label),
    ]);
    assert.deepEqual(
      times.flatMap((time) => time?.detail ?? []),
      Array(4).fill(both),
    );
  });

  it('shows neither answer nor re-checks of a request that never left', async () => {
    const { timeline } = await documentOf({ canceled: failed({ sent: 'no' }), locked: [locked] });
    const states = timeline.steps.map(({ state }) => state);
    assert.deepEqual(states, ['done', 'problem', 'skipped', 'skipped']);
    assert.deepEqual(timeline.steps.at(-1)?.checks, []);
  });
});

describe('what was locked, in a receipt', () => {
  it('stands side by side per symbol and side, every digit', async () => {
    const before = [
      someLocked(),
      someLocked({ symbol: 'eth_usdt', lockedAsk: '1.10', sumSizeAsk: '2' }),
    ];
    const { tables } = await documentOf({ locked: [before, locked] });
    assert.equal(tables[0]?.title, 'Locked before and after');
    assert.deepEqual(rowsOf(tables[0]), [
      ['btc_usdt', 'Buy', '2', '100', '2', '7,654,321'],
      ['eth_usdt', 'Buy', '2', '100', 'none', 'none'],
      ['eth_usdt', 'Sell', '2', '1.10', 'none', 'none'],
    ]);
  });

  it('is unknown when it could not be read, before or after', async () => {
    const { tables } = await documentOf({ locked: [locked, failed({})] });
    assert.deepEqual(rowsOf(tables[0]), [['btc_usdt', 'Buy', '2', '7,654,321', '—', '—']]);
    assert.ok(tables[0]?.notes.includes('What is still locked could not be read.'));
  });

  it('does not say that nothing was locked by an account that does not list its orders', async () => {
    const problem = phrase('{0} should be {1} and {2}', '$.orders', 'a list', 'is missing');
    const unread = [{ path: '$.orders', problem }];
    const receipt = await documentOf({ locked: [null], unread });
    assert.ok(
      receipt.tables[0]?.notes.includes(
        'A part of the account could not be read: $.orders should be a list and is missing.',
      ),
    );
    assert.doesNotMatch(receiptTexts(receipt).join('\n'), /nothing/i);
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
          sentAt: asOf,
          answeredAt: asOf,
        });
      await cancelAll.run();
      cancelAll.dispose();
      const { tables, timeline } = receiptDocument(reportOf(report()), display);
      const [read] = timeline.steps;
      assert.equal(read?.state, 'problem');
      assert.equal(read.texts[0], 'The account could not be read (HTTP 500).');
      assert.equal(tables[0]?.notes.includes('Confirmed without current figures.'), true);
      assert.equal(rowsOf(tables[0]).length, hasFigures ? 1 : 0);
      assert.equal(read.at?.text, hasFigures ? '00:00:00 UTC' : undefined);
      assert.equal(read.texts[1] === 'Nothing was read yet.', !hasFigures);
    }
  });

  it('says that the limit had no room to read the account', async () => {
    const { cancelAll, report, world, openAccount } = cancelAllUnderTest();
    world.account = openAccount({ rateLimiter: usedUpRateLimiter() });
    await cancelAll.run();
    cancelAll.dispose();
    const [read] = receiptDocument(reportOf(report()), display).timeline.steps;
    assert.equal(
      read?.texts[0],
      'The account could not be read (the rate limit has no room for it).',
    );
  });
});

describe('the returned orders in a receipt', () => {
  const badRecords = [
    {
      path: '$[1]',
      problem: phrase('$[1].amount should be a number and is a list'),
      record: parseJson(
        '{"orderId":7777,"status":"CANCELED","amount":["654321"],"filled":654321.10,"fee":654321,"side":{"n":654321},"updatedAt":654321}',
      ),
    },
  ];
  const reportWith = (canceled: readonly CanceledOrder[]): Promise<CancelReport> =>
    lastReport({ canceled, badRecords });

  it('have a column for each field of any of them, and every digit', async () => {
    const orders = [
      aCanceledOrder({ price: '1.10E-7' }),
      aCanceledOrder({ extra: { postOnly: true } }),
    ];
    const [, table] = (await documentOf({ canceled: orders })).tables;
    assert.equal(table?.title, 'Returned orders (2)');
    const column = (name: string) =>
      rowsOf(table).map((cells) => cells[labelsOf(table).indexOf(name)]);
    assert.deepEqual(column('price'), ['0.00000011', '50,000']);
    assert.deepEqual(column('postOnly'), ['', 'true']);
    assert.deepEqual(column('status'), ['CANCELED', 'CANCELED']);
  });

  it('are rows of a grid, as the exchange wrote them; what the API does not name is in their details', async () => {
    const orders = [
      aCanceledOrder({ orderId: '7', price: '1.10E-7' }),
      aCanceledOrder({ extra: { postOnly: true, fee: '654.321' } }),
    ];
    const gridIn = async (canceled: readonly CanceledOrder[], shown = display) =>
      receiptDocument(await reportWith(canceled), shown, arranged).tables[1]?.grid;
    const arranged = { order: ['status'], hidden: ['symbol'], widths: {} };
    const grid = (await gridIn(orders)) ?? assert.fail('no grid');
    const cell = (row: number, name: string) =>
      grid.rows[row]?.[grid.columns.findIndex(({ field }) => field === name)];
    assert.deepEqual([cell(0, 'orderId'), cell(0, 'price')], ['7', '1.10E-7']);
    assert.deepEqual(grid.extras[1], [
      { name: 'postOnly', text: 'true' },
      { name: 'fee', text: '654.321' },
    ]);
    assert.deepEqual(grid.layout, { ...arranged, hidden: [] });
    const hidden = await gridIn(orders, aDisplay({ hidesMoney: true }));
    assert.doesNotMatch(JSON.stringify(hidden), /654/);
    assert.equal(
      hidden?.rows[0]?.[grid.columns.findIndex(({ field }) => field === 'amount')],
      '•••',
    );
    assert.equal(await gridIn([]), undefined);
  });

  it('leave a table of those that could not be read: what is wrong, and the fields as they came', async () => {
    const { tables } = receiptDocument(await reportWith([aCanceledOrder()]), display);
    const [, , unread] = tables;
    assert.equal(unread?.title, 'Records that could not be read (1)');
    assert.deepEqual(labelsOf(unread).slice(0, 5), [
      'Problem',
      'orderId',
      'status',
      'amount',
      'filled',
    ]);
    assert.deepEqual(rowsOf(unread)[0]?.slice(0, 5), [
      '$[1].amount should be a number and is a list',
      ...['7777', 'CANCELED', '["654321"]', '654,321.10'],
    ]);
  });

  it('show no figure that privacy hides', async () => {
    const masked = receiptDocument(await reportWith([]), aDisplay({ hidesMoney: true }));
    assert.deepEqual(rowsOf(masked.tables[2])[0]?.slice(1, 6), [
      '7777',
      'CANCELED',
      '•••',
      '•••',
      '•••',
    ]);
    assert.doesNotMatch(receiptTexts(masked).join('\n'), /654/);
  });

  it('are a warning when the others were cancelled, and unknown when there are none', async () => {
    const { receipt: done } = await reportWith([aCanceledOrder()]);
    assert.deepEqual([done.outcome, outcomeSeverity(done)], ['done', 'warning']);
    assert.equal(
      outcomeText(done, display),
      '1 order cancelled. 1 record of the answer could not be read. Nothing is locked now.',
    );
    const { receipt: unknown } = await reportWith([]);
    assert.deepEqual(
      [unknown.outcome, outcomeSeverity(unknown)],
      ['unknownNothingLocked', 'warning'],
    );
    assert.match(
      outcomeText(unknown, display),
      /^Result unknown\. The request was sent once and not retried\. 1 record of the answer could not be read\. Nothing is locked now/,
    );
  });
});
