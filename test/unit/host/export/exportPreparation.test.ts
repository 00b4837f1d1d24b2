import assert from 'node:assert/strict';
import type { AccountSession } from '../../../../src/account/session/accountSession.ts';
import { always, openStart } from '../../../../src/base/interval.ts';
import { minuteMs } from '../../../../src/base/time.ts';
import { defaultConventions } from '../../../../src/exchange/history/apiConventions.ts';
import { commitDelayMs } from '../../../../src/exchange/history/readToEnd.ts';
import { prepareExport } from '../../../../src/host/export/exportPreparation.ts';
import { aDisplay } from '../../../support/display.ts';
import { LedgerOfPanel, noLedger } from '../../../support/panelLedger.ts';
import { someProfile } from '../../../support/testExporter.ts';

const now = Date.UTC(2026, 10, 20);
const newest = now - commitDelayMs;

/** A ledger whose trades are complete up to then. */
function ledgerTo(to: number): LedgerOfPanel {
  const read = { from: openStart, to, asOf: now, completeness: 'complete', reason: null } as const;
  return new LedgerOfPanel({ coverage: () => [read] });
}

describe('an export that is prepared', () => {
  const conventions = { current: defaultConventions };
  const account = { profile: someProfile, fingerprint: '1f3a', serverNow: () => now, conventions };
  const session = account as unknown as AccountSession;
  let state: { readonly kind: 'open'; readonly session: unknown };
  beforeEach(() => (state = { kind: 'open', session }));

  /** All trades, to a file that was chosen before. */
  function prepare(
    ledger: Pick<LedgerOfPanel, 'current'> | typeof noLedger,
    meanwhile?: () => void,
  ) {
    const options = {
      active: {
        session: () => Promise.resolve(session),
        get state() {
          return state;
        },
      },
      display: { current: aDisplay() },
      ledger,
      exports: {
        find: () => Promise.resolve(undefined),
        removeExpired: () => Promise.resolve(),
      },
      confirmRealValues: () => {
        meanwhile?.();
        return Promise.resolve(true);
      },
    };
    const query = { request: { operation: 'trades', filters: {} }, period: always } as const;
    const earlier = { format: 'csv', target: 'trades.csv' } as const;
    type Options = Parameters<typeof prepareExport>[0];
    return prepareExport(options as unknown as Options, query, earlier);
  }

  it('ends where the ledger that it reads does, a few seconds behind the exchange', async () => {
    const { plan } = (await prepare(ledgerTo(newest - 1000))) ?? assert.fail();
    assert.equal(plan.range.to, newest - 1000);
  });

  it('ends now if the ledger is behind', async () => {
    const { plan } = (await prepare(ledgerTo(now - 60 * minuteMs))) ?? assert.fail();
    assert.equal(plan.range.to, newest);
  });

  it('does not begin once another account is open', async () => {
    const other = (): void => void (state = { kind: 'open', session: {} });
    await assert.rejects(prepare(noLedger, other), /because another account was opened/);
  });
});
