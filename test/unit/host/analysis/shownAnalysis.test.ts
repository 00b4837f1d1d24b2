import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import type { ActiveAccount } from '../../../../src/account/session/activeAccount.ts';
import { Emitter } from '../../../../src/base/emitter.ts';
import { minuteMs, secondMs } from '../../../../src/base/time.ts';
import { AccountLedger, type OpenLedger } from '../../../../src/host/ledger/openLedger.ts';
import type { Log } from '../../../../src/host/shared/log.ts';
import type { DisplayState } from '../../../../src/host/settings/displayState.ts';
import { firstChoices, type AnalysisChoices } from '../../../../src/protocol/analysisMessages.ts';
import { aDisplay } from '../../../support/display.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
const { ShownAnalysis } = await import('../../../../src/host/analysis/shownAnalysis.ts');

describe('the analysis that a page shows', () => {
  let clock: FakeClock;
  let accountRead: Emitter<void>;
  let rowsWritten: Emitter<void>;
  let isVisible: boolean;
  /** How often the ledger was asked for the equity, which belongs to every view. */
  let reads: number;
  let numbersRead: number;
  /** Another one after each write. */
  let version: number;
  let analysis: InstanceType<typeof ShownAnalysis>;

  beforeEach(() => {
    clock = new FakeClock();
    accountRead = new Emitter();
    rowsWritten = new Emitter();
    isVisible = true;
    [reads, numbersRead, version] = [0, 0, 0];
    rowsWritten.event(() => (version += 1));
    const ledger = new AccountLedger();
    const analyse = ({ view }: { view: string }): Promise<unknown> => {
      if (view === 'equity') reads += 1;
      if (view === 'numbers') numbersRead += 1;
      return Promise.resolve({ view, reads, assets: [] });
    };
    ledger.show({
      id: 'one',
      reader: { analyse, versions: () => Promise.resolve({ version }) },
      onDidChange: rowsWritten.event,
    } as unknown as OpenLedger);
    const session = { client: { serverNow: () => clock.now() } };
    analysis = new ShownAnalysis({
      active: {
        state: { kind: 'open', session },
        onDidChange: accountRead.event,
      } as unknown as ActiveAccount,
      display: { current: aDisplay(), onDidChange: new Emitter<void>().event } as DisplayState,
      log: { failure: () => undefined } as unknown as Log,
      ledger,
      clock,
      isSupported: true,
      isVisible: () => isVisible,
    });
  });

  afterEach(() => analysis.dispose());

  async function show(view: AnalysisChoices['view']): Promise<void> {
    await analysis.read({ ...firstChoices, view });
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

  it('reads again some seconds after rows were written, once for all of them', async () => {
    await show('fees');
    for (let row = 0; row < 20; row++) rowsWritten.fire();
    await clock.advance(4 * secondMs);
    assert.equal(reads, 1);
    await clock.advance(secondMs);
    assert.equal(reads, 2);
  });

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

  it('computes the numbers again for another period or other rows only', async () => {
    await show('fees');
    for (const change of [{ view: 'equity' }, { groupBy: 'week' }, { splitBy: 'symbol' }] as const)
      await analysis.read({ ...firstChoices, ...change });
    assert.deepEqual([reads, numbersRead], [4, 1]);
    await analysis.read({ ...firstChoices, days: 7 });
    assert.equal(numbersRead, 2);
    rowsWritten.fire();
    await clock.advance(5 * secondMs);
    assert.equal(numbersRead, 3);
  });

  it('reads nothing while its page is out of sight', async () => {
    await show('equity');
    isVisible = false;
    rowsWritten.fire();
    await readAccountFor(5 * minuteMs);
    assert.equal(reads, 1);
  });
});
