import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { Emitter } from '../../../../src/base/emitter.ts';
import type { Interval } from '../../../../src/base/interval.ts';
import { minuteMs } from '../../../../src/base/time.ts';
import { AccountLedger, type OpenLedger } from '../../../../src/host/ledger/openLedger.ts';
import type { Log } from '../../../../src/host/shared/log.ts';
import { AccountReconciliation } from '../../../../src/host/reconciliation/accountReconciliation.ts';
import { ContradictionMemory } from '../../../../src/host/reconciliation/contradictionMemory.ts';
import type { LedgerHistory, ReconciliationReport } from '../../../../src/ledger/ledger.ts';
import { LedgerError } from '../../../../src/ledger/ledgerError.ts';
import type { NamedContradiction } from '../../../../src/ledger/reconciliation/contradictions.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { aReconciliation } from '../../../support/reconciliationReports.ts';

const broken = aReconciliation([{ subject: 'usdt', from: 600_000, to: 700_000 }]);
const whole = aReconciliation([]);
/** How far the clock of the exchange is ahead of that of this machine. */
const aheadMs = 2 * minuteMs + 0.5;

/** A ledger whose comparisons give these reports in turn, the last one from then on. */
class ComparedLedger {
  readonly didChange = new Emitter<void>();
  readonly read: (Interval & { history: LedgerHistory })[] = [];
  reports: (ReconciliationReport | Promise<ReconciliationReport>)[];
  compared = 0;
  isWriter = true;
  writerFailure: LedgerError | undefined;
  isReachable = true;
  readonly open: OpenLedger;

  constructor(reports: ComparedLedger['reports'], id = 'one') {
    this.reports = reports;
    const reconcile = async (): Promise<ReconciliationReport> => {
      this.compared += 1;
      const isLast = this.reports.length === 1;
      const report = isLast ? this.reports[0] : this.reports.shift();
      return report ?? assert.fail('nothing to compare');
    };
    this.open = {
      id,
      reader: { reconcile },
      onDidChange: this.didChange.event,
      claimWriting: () =>
        this.writerFailure ? Promise.reject(this.writerFailure) : Promise.resolve(this.isWriter),
      readAgain: (history: LedgerHistory, interval: Interval) => {
        if (!this.isReachable) return Promise.reject(new Error('no connection'));
        this.read.push({ history, ...interval });
        return Promise.resolve();
      },
    } as unknown as OpenLedger;
  }
}

describe('the reconciliation of the open account', () => {
  let clock: FakeClock;
  let shown: AccountLedger;
  let stored: Map<string, unknown>;
  let alerts: (readonly NamedContradiction[])[];
  let mayRead: boolean;
  let isShown: boolean;
  let reconciliation: AccountReconciliation;

  beforeEach(() => {
    clock = new FakeClock();
    stored = new Map();
    alerts = [];
    [mayRead, isShown] = [true, false];
    reconciliation = openWindow();
  });

  function openWindow(): AccountReconciliation {
    shown = new AccountLedger();
    const storage = {
      get: (key: string) => stored.get(key),
      update: (key: string, value: unknown) => Promise.resolve(void stored.set(key, value)),
    };
    return new AccountReconciliation({
      ledger: shown,
      clock,
      serverNow: () => clock.now() + aheadMs,
      mayRead: () => mayRead,
      isShown: () => isShown,
      memory: new ContradictionMemory(storage),
      log: { failure: () => undefined } as unknown as Log,
      alert: (contradictions) => alerts.push(contradictions),
    });
  }

  const settled = async (): Promise<void> => {
    for (let turn = 0; turn < 5; turn++) await setImmediate();
  };
  const computed = () => {
    const { state } = reconciliation;
    return state.kind === 'computed' ? state : assert.fail(state.kind);
  };
  const show = async (ledger: ComparedLedger): Promise<void> => {
    shown.show(ledger.open);
    reconciliation.want();
    await settled();
  };

  const compareAgain = async (): Promise<void> => {
    reconciliation.compute();
    await settled();
  };

  it('compares nothing before somebody wants to see it or rows were read', async () => {
    const ledger = new ComparedLedger([whole]);
    shown.show(ledger.open);
    await settled();
    assert.deepEqual([reconciliation.state.kind, ledger.compared], ['waiting', 0]);
    reconciliation.want();
    await settled();
    assert.deepEqual([computed().status, ledger.compared], ['current', 1]);
    assert.equal(computed().computedAt, Math.floor(clock.now() + aheadMs));
  });

  it('compares some time after rows were read, at most every ten minutes', async () => {
    const ledger = new ComparedLedger([whole]);
    shown.show(ledger.open);
    for (let row = 0; row < 20; row++) ledger.didChange.fire();
    await clock.advance(minuteMs);
    assert.equal(ledger.compared, 1);
    ledger.didChange.fire();
    assert.equal(computed().status, 'outdated');
    await clock.advance(8 * minuteMs);
    assert.equal(ledger.compared, 1);
    await clock.advance(2 * minuteMs);
    assert.deepEqual([computed().status, ledger.compared], ['current', 2]);
    await clock.advance(60 * minuteMs);
    assert.equal(ledger.compared, 2);
  });

  it('compares soon after each burst of rows while a page shows it, and not more once it is hidden', async () => {
    const ledger = new ComparedLedger([whole]);
    isShown = true;
    await show(ledger);
    for (const compared of [2, 3]) {
      for (let row = 0; row < 20; row++) ledger.didChange.fire();
      assert.equal(computed().status, 'outdated');
      await clock.advance(20_000);
      assert.deepEqual([computed().status, ledger.compared], ['current', compared]);
    }
    isShown = false;
    ledger.didChange.fire();
    await clock.advance(minuteMs);
    assert.equal(ledger.compared, 3);
  });

  it('compares once more if rows were read during a long comparison', async () => {
    const late = Promise.withResolvers<ReconciliationReport>();
    const ledger = new ComparedLedger([late.promise, whole]);
    await show(ledger);
    ledger.didChange.fire();
    await clock.advance(20 * minuteMs);
    assert.deepEqual([reconciliation.state.kind, ledger.compared], ['computing', 1]);
    late.resolve(aReconciliation([]));
    await settled();
    assert.deepEqual([computed().report, ledger.compared], [whole, 2]);
  });

  it('compares at once what is outdated when a page shows it again', async () => {
    const ledger = new ComparedLedger([whole]);
    await show(ledger);
    reconciliation.want();
    await settled();
    assert.equal(ledger.compared, 1);
    ledger.didChange.fire();
    reconciliation.want();
    await settled();
    assert.deepEqual([computed().status, ledger.compared], ['current', 2]);
  });

  it('reads a contradicted interval again once, and shows one alert if it stays', async () => {
    const ledger = new ComparedLedger([broken]);
    await show(ledger);
    const period = { history: 'futureTransactions', from: 540_000, to: 760_000 };
    assert.deepEqual(ledger.read, [period]);
    assert.deepEqual(
      alerts.map((each) => each.map(({ subject }) => subject)),
      [['usdt']],
    );
    assert.equal(computed().checked[0]?.readAt, Math.floor(clock.now() + aheadMs));
    assert.deepEqual(computed().reading, []);
    await clock.advance(20 * minuteMs);
    reconciliation.compute();
    await settled();
    reconciliation.dispose();
    reconciliation = openWindow();
    await show(ledger);
    assert.deepEqual([ledger.compared, ledger.read.length, alerts.length], [4, 1, 1]);
    assert.equal(computed().checked.length, 1);
  });

  it('names no candidates while it reads, and no alert if the rows are there now', async () => {
    const late = Promise.withResolvers<ReconciliationReport>();
    const ledger = new ComparedLedger([broken, late.promise]);
    await show(ledger);
    assert.deepEqual(
      computed().reading.map(({ subject }) => subject),
      ['usdt'],
    );
    await compareAgain();
    assert.equal(computed().status, 'current');
    late.resolve(whole);
    await settled();
    assert.deepEqual([computed().report, computed().reading, alerts], [whole, [], []]);
    assert.equal(ledger.compared, 2);
  });

  it('reads again with the next comparison if the exchange could not be reached', async () => {
    const ledger = new ComparedLedger([broken]);
    ledger.isReachable = false;
    await show(ledger);
    assert.deepEqual([computed().checked, computed().reading, alerts], [[], [], []]);
    ledger.isReachable = true;
    reconciliation.compute();
    await settled();
    assert.deepEqual([ledger.read.length, alerts.length], [1, 1]);
  });

  it('leaves both to the window that reads into the ledger', async () => {
    const ledger = new ComparedLedger([broken]);
    ledger.isWriter = false;
    await show(ledger);
    assert.deepEqual([computed().report, ledger.read, alerts], [broken, [], []]);
  });

  it('shows what it found in a folder that cannot be written, and leaves the rest', async () => {
    const ledger = new ComparedLedger([broken]);
    ledger.writerFailure = new LedgerError('forbidden');
    await show(ledger);
    assert.deepEqual([computed().report, ledger.read, alerts], [broken, [], []]);
    ledger.writerFailure = undefined;
    await compareAgain();
    assert.deepEqual([ledger.read.length, alerts.length], [1, 1]);
  });

  it('reads nothing if the ledger is not kept current, and shows the alert once', async () => {
    mayRead = false;
    const ledger = new ComparedLedger([broken]);
    await show(ledger);
    await compareAgain();
    assert.deepEqual([ledger.read, alerts.length, computed().checked[0]?.readAt], [[], 1, null]);
  });

  it('reads again what it could not once the ledger is kept current, without another alert', async () => {
    mayRead = false;
    const ledger = new ComparedLedger([broken]);
    await show(ledger);
    mayRead = true;
    for (let comparison = 0; comparison < 2; comparison += 1) await compareAgain();
    assert.deepEqual([ledger.read.length, alerts.length], [1, 1]);
    assert.equal(computed().checked[0]?.readAt, Math.floor(clock.now() + aheadMs));
  });

  it('reads a later contradiction of an asset again as well, and shows its alert', async () => {
    const first = { subject: 'usdt', from: 600_000, to: 700_000 };
    const later = [{ from: 1_000_000, to: 1_100_000 }];
    const ledger = new ComparedLedger([aReconciliation([first])]);
    await show(ledger);
    ledger.reports = [aReconciliation([{ ...first, later }])];
    for (let comparison = 0; comparison < 2; comparison += 1) await compareAgain();
    assert.deepEqual(
      ledger.read.map(({ from }) => from),
      [540_000, 940_000],
    );
    assert.deepEqual(
      alerts.map((each) => each.map(({ from }) => from)),
      [[600_000], [1_000_000]],
    );
  });

  it('reads ten contradictions again after a comparison, and shows one alert for all of an asset', async () => {
    const at = (index: number) => ({ from: index * 600_000, to: index * 600_000 + 100_000 });
    const later = Array.from({ length: 23 }, (_none, index) => at(index + 2));
    const ledger = new ComparedLedger([aReconciliation([{ subject: 'usdt', ...at(1), later }])]);
    await show(ledger);
    const read = [ledger.read.length];
    for (let comparison = 0; comparison < 3; comparison += 1) {
      await compareAgain();
      read.push(ledger.read.length);
    }
    assert.deepEqual([read, alerts.length], [[10, 20, 24, 24], 1]);
    assert.equal(new Set(ledger.read.map(({ from }) => from)).size, 24);
  });

  it('takes another interval, asset or ledger for another contradiction, a narrower one for the same', async () => {
    const at = (subject: string, from: number, to: number) =>
      aReconciliation([{ subject, from, to }]);
    const ledger = new ComparedLedger([at('usdt', 600_000, 700_000)]);
    await show(ledger);
    for (const report of [
      at('usdt', 640_000, 660_000),
      at('usdt', 700_000, 800_000),
      at('btc', 600_000, 700_000),
    ]) {
      ledger.reports = [report];
      reconciliation.compute();
      await settled();
    }
    assert.equal(alerts.length, 3);
    await show(new ComparedLedger([at('usdt', 600_000, 700_000)], 'two'));
    assert.equal(alerts.length, 4);
  });
});
