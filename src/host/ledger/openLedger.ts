import type { Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import type { AnalysisReader } from '../../ledger/analysis/analysis.ts';
import type { Interval, LedgerHistory, LedgerReader, LedgerWriter } from '../../ledger/ledger.ts';

/** The ledger of the open account. */
export type OpenLedger = {
  /** The same after a reload, and in other windows. */
  readonly id: string;
  readonly reader: LedgerReader & AnalysisReader;
  /** Rejects with a LedgerError of `otherWriter` while another window writes this ledger. */
  readonly writer: LedgerWriter;
  /** This or another window read rows or periods into it. */
  readonly onDidChange: Event<void>;
  /**
   * Reads at once what is new in these histories, if they were downloaded. False if another window does
   * that: then it only looks for what that wrote. Rejects with ExchangeError or LedgerError.
   */
  synchronise(histories: readonly LedgerHistory[], signal: AbortSignal): Promise<boolean>;
  /** Whether this window is the one that reads into it. Rejects with LedgerError. */
  isWriter(): Promise<boolean>;
  /**
   * Reads the rows of an interval once more, with the lowest priority. Rejects with ExchangeError,
   * LedgerError, or an abort.
   */
  readAgain(history: LedgerHistory, interval: Interval): Promise<void>;
};

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
