import type { Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import type { LedgerSession } from '../../account/ledger/ledgerSession.ts';

/** What others use of the ledger of the open account. */
export type OpenLedger = Pick<
  LedgerSession,
  'id' | 'reader' | 'writer' | 'onDidChange' | 'synchronise' | 'claimWriting' | 'readAgain'
>;

/** Which ledger this window shows: that of the open account, if it has one. */
export class AccountLedger implements Disposable {
  private readonly didChange = new Emitter<void>();
  private readonly didWrite = new Emitter<void>();
  private shown: OpenLedger | undefined;
  private writes: Disposable | undefined;
  /** Another ledger is shown, or none. */
  readonly onDidChange: Event<void> = this.didChange.event;
  /** The ledger that is shown has changed. */
  readonly onDidWrite: Event<void> = this.didWrite.event;

  get current(): OpenLedger | undefined {
    return this.shown;
  }

  show(ledger: OpenLedger | undefined): void {
    if (ledger === this.shown) return;
    this.shown = ledger;
    this.writes?.dispose();
    this.writes = ledger?.onDidChange(this.didWrite.fire);
    this.didChange.fire();
  }

  dispose(): void {
    this.writes?.dispose();
    this.didWrite.dispose();
    this.didChange.dispose();
  }
}
