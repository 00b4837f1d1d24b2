import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import type { ActiveAccount } from '../../../../src/account/session/activeAccount.ts';
import { Emitter } from '../../../../src/base/emitter.ts';
import { always, type Interval } from '../../../../src/base/interval.ts';
import { dayMs, hourMs, minuteMs, secondMs } from '../../../../src/base/time.ts';
import { firstChoices, type AnalysisChoices } from '../../../../src/host/analysis/choices.ts';
import { AccountLedger, type OpenLedger } from '../../../../src/host/ledger/openLedger.ts';
import type { Log } from '../../../../src/host/shared/log.ts';
import type { DisplayState } from '../../../../src/host/settings/displayState.ts';
import type { AnalysisRequest } from '../../../../src/ledger/analysis/analysis.ts';
import { aProfile } from '../../../support/builders.ts';
import { aDisplay } from '../../../support/display.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { defaultLayout } from '../../../../src/protocol/values.ts';
const { AnalysisReads } = await import('../../../../src/host/analysis/choices.ts');
const { ShownAnalysis } = await import('../../../../src/host/analysis/shownAnalysis.ts');

/** What the ledger answers to every question about equity: nothing. */
const nothing = {
  period: { from: 0, to: 1 },
  coverage: { complete: [], byHistory: [], gaps: [] },
  ...{ groupBy: 'day', buckets: [], series: [], curves: [], assets: [], unit: null },
  ...{ times: [], values: [], gaps: [], groups: [] },
  drawdown: { problem: 'noSamples' },
};

describe('the analysis that a page shows', () => {
  let clock: FakeClock;
  let accountRead: Emitter<void>;
  let rowsWritten: Emitter<void>;
  let isVisible: boolean;
  /** How often the ledger was asked for a view that has no numbers. */
  let reads: number;
  let numbersRead: number;
  /** Another one after each write. */
  let version: number;
  let checkpoints: number;
  /** What the ledger was asked for last. */
  let lastPeriod: Interval;
  let ledger: AccountLedger;
  let analysisReads: InstanceType<typeof AnalysisReads>;
  let analysis: InstanceType<typeof ShownAnalysis>;

  const openLedger = (id: string, answer = Promise.resolve(null)): OpenLedger => {
    const analyse = async ({ view, period }: AnalysisRequest): Promise<unknown> => {
      lastPeriod = period;
      if (view === 'numbers') numbersRead += 1;
      else reads += 1;
      await answer;
      return { ...nothing, view, note: id };
    };
    const reader = { analyse, versions: () => Promise.resolve({ version, checkpoints }) };
    return { id, reader, onDidChange: rowsWritten.event } as unknown as OpenLedger;
  };

  beforeEach(() => {
    clock = new FakeClock();
    accountRead = new Emitter();
    rowsWritten = new Emitter();
    isVisible = true;
    [reads, numbersRead, version, checkpoints] = [0, 0, 0, 0];
    rowsWritten.event(() => (version += 1));
    ledger = new AccountLedger();
    ledger.show(openLedger('one'));
    analysisReads = new AnalysisReads();
    analysis = openPanel();
  });

  afterEach(() => analysis.dispose());

  function openPanel() {
    const session = { serverNow: () => clock.now(), profile: aProfile() };
    const display = aDisplay();
    const state = { current: display, latest: () => display, onDidChange: new Emitter().event };
    return new ShownAnalysis(
      {
        active: {
          state: { kind: 'open', session },
          onDidChange: accountRead.event,
        } as unknown as ActiveAccount,
        display: state as unknown as DisplayState,
        log: {
          failure: (_name: string, error: unknown) => assert.fail(error as Error),
        } as unknown as Log,
        layout: { get: () => defaultLayout, set: () => Promise.resolve() },
        ...{ ledger, clock, isSupported: true },
        ...{ fill: () => undefined, showStored: () => undefined, showPosition: () => undefined },
        exportAnalysis: () => Promise.resolve(),
      },
      analysisReads,
      () => isVisible,
    );
  }

  async function show(view: AnalysisChoices['view']): Promise<void> {
    await analysis.document({ ...firstChoices, view });
    assert.equal(reads, 1);
  }

  /** The account is read every ten seconds. */
  async function readAccountFor(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 10 * secondMs) {
      accountRead.fire();
      await clock.advance(10 * secondMs);
      await setImmediate();
    }
  }

  for (const view of ['equity', 'drawdown'] as const)
    it(`follows the samples of the ${view}, at most once a minute`, async () => {
      await show(view);
      await readAccountFor(50 * secondMs);
      assert.equal(reads, 1);
      await readAccountFor(3 * minuteMs);
      assert.equal(reads, 4);
    });

  it('reads no rows again because the account was read', async () => {
    await show('fees');
    await readAccountFor(5 * minuteMs);
    assert.equal(reads, 1);
  });

  it('computes the numbers only of a summary, and again for another period or other rows only', async () => {
    await show('fees');
    assert.equal(numbersRead, 0);
    for (const change of [
      {},
      { view: 'equity' },
      { groupBy: 'week' },
      { account: 'SPOT' },
    ] as const)
      await analysis.document({ ...firstChoices, ...change });
    assert.equal(numbersRead, 1);
    await analysis.document({ ...firstChoices, period: '7' });
    assert.equal(numbersRead, 2);
    rowsWritten.fire();
    await clock.advance(5 * secondMs);
    assert.equal(numbersRead, 3);
  });

  it('has the numbers at once in a panel that is opened again', async () => {
    await analysis.document(firstChoices);
    analysis.dispose();
    analysis = openPanel();
    await analysis.document(firstChoices);
    assert.equal(numbersRead, 1);
  });

  it('asks for days that are typed, but for none before the first possible row or after today', async () => {
    const today = Date.UTC(2026, 10, 20);
    const now = today + 10 * hourMs;
    const periodOf = async (
      period: AnalysisChoices['period'],
      view: AnalysisChoices['view'] = 'fees',
      timeZone = 'UTC',
    ) => {
      const choices = { ...firstChoices, view, period };
      await analysisReads.read(openLedger('one'), choices, aDisplay({ timeZone }), now);
      const { from, to } = lastPeriod;
      return [from, to].map((time) => new Date(time).toISOString().slice(0, 10));
    };
    const [from, to] = [Date.UTC(2026, 10, 1), Date.UTC(2026, 10, 5)];
    assert.deepEqual(await periodOf(`${from}/${to}`), ['2026-11-01', '2026-11-05']);
    const wide = `${Date.UTC(1970, 0, 1)}/${Date.UTC(2031, 0, 1)}`;
    assert.deepEqual(await periodOf(wide as `${number}/${number}`), ['2009-01-01', '2026-11-21']);
    assert.deepEqual(await periodOf('7'), ['2026-11-14', '2026-11-21']);
    // Days of a calendar are whole in the zone that is shown.
    await periodOf(`${from}/${to}`, 'calendar', 'America/Phoenix');
    const sevenHours = 7 * hourMs;
    assert.deepEqual(lastPeriod, { from: from - dayMs + sevenHours, to: to + sevenHours });
    // It has two years of days at most.
    await periodOf('', 'calendar');
    assert.deepEqual(lastPeriod, { from: today - 730 * dayMs, to: today + dayMs });
    await periodOf(`${today - 9000 * dayMs}/${from}`, 'calendar');
    assert.deepEqual(lastPeriod, { from: from - 731 * dayMs, to: from });
  });

  it('computes them again after a checkpoint only if that may contradict positions', async () => {
    const asked = {
      period: always,
      zone: 'UTC',
      now: 0,
      groupBy: 'day',
      splitBy: 'asset',
    } as const;
    for (const positions of [{}, undefined]) {
      numbersRead = 0;
      for (checkpoints of [1, 1, 2]) {
        const of = { ...asked, account: 'FUTURE', ...(positions && { positions }) } as const;
        await analysisReads.readNumbers(openLedger('one'), of);
      }
      assert.equal(numbersRead, positions ? 2 : 1);
    }
  });

  it('keeps a result of the same figures, and its buttons', async () => {
    await show('fees');
    const before = await analysis.document(null);
    rowsWritten.fire();
    await clock.advance(5 * secondMs);
    assert.equal(reads, 2);
    assert.equal(JSON.stringify(await analysis.document(null)), JSON.stringify(before));
  });

  it('is there at once while something else is read: its page may have to hide figures', async () => {
    await show('fees');
    const { promise, resolve } = Promise.withResolvers<null>();
    ledger.show(openLedger('slow', promise));
    const asked = analysis.document({ ...firstChoices, view: 'cash' });
    assert.equal((await analysis.document(null)).chosen?.view, 'fees');
    resolve(null);
    assert.equal((await asked).chosen?.view, 'cash');
  });

  it('shows no result of a ledger that is no longer open', async () => {
    const { promise, resolve } = Promise.withResolvers<null>();
    ledger.show(openLedger('slow', promise));
    const asked = analysis.document({ ...firstChoices, view: 'fees' });
    ledger.show(undefined);
    resolve(null);
    assert.match(JSON.stringify((await asked).sections), /This account has no ledger/);
  });

  it('is read again once its page comes into sight', async () => {
    await show('fees');
    await analysis.document(null);
    assert.equal(reads, 1);
    analysis.opened();
    await analysis.document(null);
    assert.equal(reads, 2);
  });
});
