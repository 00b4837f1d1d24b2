import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import type { AccountSession } from '../../../../src/account/session/accountSession.ts';
import type { Snapshot } from '../../../../src/account/session/accountStore.ts';
import { Emitter } from '../../../../src/base/emitter.ts';
import { dayMs, hourMs, minuteMs, secondMs } from '../../../../src/base/time.ts';
import { Today, todayCards } from '../../../../src/host/analysis/today.ts';
import { AccountLedger, type OpenLedger } from '../../../../src/host/ledger/openLedger.ts';
import type {
  AnalysisGap,
  AnalysisOf,
  AnalysisRequest,
} from '../../../../src/ledger/analysis/analysis.ts';
import { coverageWithGaps } from '../../../support/analysisCoverage.ts';
import { aPosition } from '../../../support/builders.ts';
import { aDisplay } from '../../../support/display.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

const midnight = Date.UTC(2026, 10, 20);
const now = midnight + 10 * hourMs;
const period = { from: midnight, to: midnight + dayMs };

function numbersWith(fields: object = {}): AnalysisOf<'numbers'> {
  const usdt = {
    ...{ asset: 'usdt', assetBasis: 'known', grossPl: '50.25', netPl: '47.75' },
    otherFeeAssets: [],
  };
  const coverage = coverageWithGaps(period, ['trades', 'futureTransactions'], []);
  return { view: 'numbers', period, coverage, assets: [usdt], ...fields } as never;
}

function aSession({ at = now, staleAgeMs = undefined as number | undefined } = {}): AccountSession {
  const symbols = [
    { symbol: 'btc_usdt', marginAsset: 'usdt' },
    { symbol: 'eth_btc', marginAsset: 'btc' },
  ];
  return {
    staleness: { staleAgeMs },
    serverNow: () => at,
    exchangeInformation: { cached: { value: { symbols } }, getOrCached: () => Promise.resolve() },
  } as unknown as AccountSession;
}

const positions = [
  aPosition({ symbol: 'btc_usdt', upl: '-1.5' }),
  aPosition({ symbol: 'btc_usdt', upl: '0.25' }),
  aPosition({ symbol: 'eth_btc', upl: '0.1' }),
];
const withPositions = (of: Snapshot['account']['positions'], badRecords: object[] = []): Snapshot =>
  ({ account: { positions: of }, badRecords }) as unknown as Snapshot;

function lines(
  numbers: AnalysisOf<'numbers'> | undefined,
  { session = aSession(), snapshot = withPositions(positions), display = aDisplay() } = {},
): string[] {
  return todayCards(numbers, session, snapshot, display).map(({ label, lines: all }) =>
    [label, ...all.map(({ text }) => text)].join(' | '),
  );
}

const gap: AnalysisGap = {
  history: 'trades',
  ...{ from: midnight, to: midnight + hourMs, completeness: 'neverRead', reason: null },
};

describe('today', () => {
  it('has the net, gross and unrealised P&L of each asset', () => {
    assert.deepEqual(lines(numbersWith()), [
      'Today · usdt | Net +47.75 | Gross +50.25 | Unrealised −1.25',
      'Today · btc | Net 0 | Gross 0 | Unrealised +0.1',
    ]);
    assert.deepEqual(lines(numbersWith({ assets: [] }), { snapshot: withPositions([]) }), [
      'Today | none',
    ]);
    assert.deepEqual(lines(numbersWith({ assets: [] }), { snapshot: withPositions(null) }), [
      'Today | Unrealised —',
    ]);
    const display = aDisplay({ hidesMoney: true });
    const [masked] = lines(numbersWith(), { display });
    assert.equal(masked, 'Today · usdt | Net ••• | Gross ••• | Unrealised •••');
  });

  it('does not know what is unrealised without every figure and its asset', () => {
    for (const snapshot of [
      withPositions(null),
      withPositions(positions, [{ path: '$.positions[3]' }]),
      withPositions([...positions, aPosition({ symbol: 'btc_usdt', upl: null })]),
      withPositions([aPosition({ symbol: 'new_usdt' })]),
    ])
      assert.deepEqual(lines(numbersWith(), { snapshot }), [
        'Today · usdt | Net +47.75 | Gross +50.25 | Unrealised —',
      ]);
  });

  it('does not know what a liquidation without a trade realised', () => {
    const usdt = { asset: 'usdt', assetBasis: 'known', grossPl: null, netPl: null };
    const numbers = numbersWith({ assets: [{ ...usdt, otherFeeAssets: [] }] });
    const [card] = todayCards(numbers, aSession(), withPositions([]), aDisplay());
    assert.deepEqual(
      [...(card?.lines ?? []).map(({ text }) => text), ...(card?.notes ?? [])],
      ['Net —', 'Gross —', 'Unrealised 0', 'Trades do not explain a liquidation or a checkpoint'],
    );
  });

  it('is absent while the ledger or the account is not current', () => {
    assert.deepEqual(lines(undefined), []);
    const coverage = coverageWithGaps(period, ['trades', 'futureTransactions'], [gap]);
    assert.deepEqual(lines(numbersWith({ coverage })), []);
    assert.deepEqual(lines(numbersWith(), { session: aSession({ staleAgeMs: minuteMs }) }), []);
    const complete = [{ from: midnight, to: now }];
    const readNow = numbersWith({ coverage: { ...numbersWith().coverage, complete } });
    const notesAfter = (minutes: number) => {
      const session = aSession({ at: now + minutes * minuteMs });
      return todayCards(readNow, session, withPositions([]), aDisplay())[0]?.notes;
    };
    assert.deepEqual(notesAfter(5), []);
    assert.deepEqual(notesAfter(40), ['Complete 2026-11-20 00:00 – 10:00']);
    assert.equal(notesAfter(41), undefined);
  });

  it('is absent once the day is another one, also by the zone', () => {
    assert.deepEqual(lines(numbersWith(), { session: aSession({ at: now + dayMs }) }), []);
    const display = aDisplay({ timeZone: 'Asia/Tokyo' });
    assert.deepEqual(lines(numbersWith(), { display }), []);
  });

  it('follows the ledger, and shows nothing of another one', async () => {
    const clock = new FakeClock();
    const written = new Emitter<void>();
    const asked: AnalysisRequest[] = [];
    let version = 0;
    const reader = {
      versions: () => Promise.resolve({ trades: version, checkpoints: '' }),
      analyse: (request: AnalysisRequest) => {
        asked.push(request);
        return Promise.resolve(numbersWith());
      },
    };
    const ledger = new AccountLedger();
    const display = { current: aDisplay(), onDidChange: new Emitter().event };
    const polled = new Emitter<void>();
    const active = { state: { kind: 'open', session: aSession() }, onDidChange: polled.event };
    const today = new Today({ active, display, ledger, clock, log: {} } as never);
    ledger.show({ reader, onDidChange: written.event } as unknown as OpenLedger);
    const pass = async (ms: number): Promise<void> => {
      await clock.advance(ms);
      await setImmediate();
    };
    await pass(secondMs);
    assert.deepEqual(
      asked.map((request) => [request.view, request.period]),
      [['numbers', period]],
    );
    assert.ok(today.numbers);
    polled.fire();
    await pass(minuteMs);
    assert.equal(asked.length, 1, 'no row is new');
    version += 1;
    written.fire();
    await pass(minuteMs);
    assert.equal(asked.length, 2);
    ledger.show({ reader, onDidChange: written.event } as unknown as OpenLedger);
    assert.equal(today.numbers, undefined);
    today.dispose();
  });
});
