import { Emitter } from '../../src/base/emitter.ts';
import type { OpenLedger } from '../../src/host/ledger/openLedger.ts';
import type { PanelLedger } from '../../src/host/tables/panelState.ts';
import type { LedgerCalls } from '../../src/ledger/storedLedger.ts';
import type { LedgerHistory } from '../../src/ledger/ledger.ts';
import { ClientInThisThread } from './ledgerUnderTest.ts';

/** An account without a ledger. */
export const noLedger: PanelLedger = {
  current: undefined,
  onDidChange: () => ({ dispose: () => undefined }),
  onDidWrite: () => ({ dispose: () => undefined }),
};

/** The ledger of an account in its file; a test may have its calls fail. */
export class LedgerOfPanel implements PanelLedger {
  private readonly didChange = new Emitter<void>();
  private readonly didWrite = new Emitter<void>();
  readonly onDidChange = this.didChange.event;
  readonly onDidWrite = this.didWrite.event;
  /** A test calls it after it wrote. */
  readonly wrote = this.didWrite.fire;
  readonly current: OpenLedger;
  /** How often a page had it synchronised. */
  synchronised = 0;
  synchronisedHistories: readonly LedgerHistory[] = [];
  /** Whether another window reads into it. */
  isReadElsewhere = false;
  /** What each read rejects with. */
  failure: Error | undefined;

  constructor(stored: Partial<LedgerCalls>) {
    const fail = (): void => {
      if (this.failure) throw this.failure;
    };
    const client = new ClientInThisThread(stored);
    client.beforeCall = fail;
    this.current = {
      id: 'ledger',
      claimWriting: () => Promise.resolve(false),
      readAgain: () => Promise.resolve(),
      reader: client,
      writer: client,
      onDidChange: this.onDidChange,
      synchronise: async (histories) => {
        this.synchronised += 1;
        this.synchronisedHistories = histories;
        fail();
        return Promise.resolve(!this.isReadElsewhere);
      },
    };
  }
}
