import type { ActiveAccount } from '../../account/session/activeAccount.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import { minuteMs, secondMs, type Clock } from '../../base/time.ts';
import { LedgerError } from '../../ledger/ledgerError.ts';
import type { AnalysisChoices } from '../../protocol/analysisMessages.ts';
import type { AccountLedger, OpenLedger } from '../ledger/openLedger.ts';
import { logRejection, type Log } from '../shared/log.ts';
import type { DisplayState } from '../settings/displayState.ts';
import type { AnalysisState } from './analysisDocument.ts';
import { analysedView } from './analysisText.ts';
import { readAnalysis, type KnownNumbers, type ReadAnalysis } from './readAnalysis.ts';

type ShownAnalysisOptions = {
  readonly active: ActiveAccount;
  readonly ledger: Pick<AccountLedger, 'current' | 'onDidChange' | 'onDidWrite'>;
  readonly display: DisplayState;
  readonly clock: Clock;
  readonly log: Log;
  /** Whether this VS Code has SQLite. */
  readonly isSupported: boolean;
  /** Whether the page is in sight. */
  readonly isVisible: () => boolean;
};

/** Rows come in bursts, and each analysis reads all of a period. */
const pauseMs = 5 * secondMs;

/** A sample of equity is stored at most once a minute. */
const samplesEveryMs = minuteMs;

/** The analysis that a page shows, which follows the account that is open and its ledger. */
export class ShownAnalysis implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly options: ShownAnalysisOptions;
  private readonly didChange = this.disposables.add(new Emitter<void>());
  readonly onDidChange: Event<void> = this.didChange.event;
  private current: AnalysisState = { kind: 'noAccount' };
  private choices: AnalysisChoices | undefined;
  private known: KnownNumbers | undefined;
  private reading: Promise<void> = Promise.resolve();
  private isWaiting = false;
  private stopTimer: (() => void) | undefined;
  private count = 0;
  private readAt = 0;
  private zone = '';

  constructor(options: ShownAnalysisOptions) {
    this.options = options;
    const { active, ledger, display } = options;
    this.disposables.add(ledger.onDidChange(() => this.follow()));
    this.disposables.add(active.onDidChange(() => this.followAccount()));
    this.disposables.add(ledger.onDidWrite(() => this.readLater()));
    this.disposables.add(
      display.onDidChange(() => {
        if (display.current.zone.name !== this.zone) this.follow();
      }),
    );
  }

  get state(): AnalysisState {
    return this.current;
  }

  /** Reads what is chosen. While a read runs, only the latest request is queued. */
  read(choices: AnalysisChoices): Promise<void> {
    this.choices = choices;
    if (!this.isWaiting) {
      this.isWaiting = true;
      this.reading = this.reading.then(() => this.readNow());
    }
    return this.reading;
  }

  dispose(): void {
    this.stopTimer?.();
    this.disposables.dispose();
  }

  private async readNow(): Promise<void> {
    this.isWaiting = false;
    const { choices } = this;
    const { ledger, isSupported, display, active, clock } = this.options;
    this.readAt = clock.now();
    this.zone = display.current.zone.name;
    const { state } = active;
    const open = ledger.current;
    if (state.kind !== 'open' || !choices) this.current = { kind: 'noAccount' };
    else if (!isSupported) this.current = { kind: 'failed', error: new LedgerError('unsupported') };
    else if (!open) this.current = { kind: 'noLedger' };
    else await this.readOf(open, choices, state.session.client.serverNow());
  }

  /** What was read of a ledger that is no longer open is not shown. */
  private async readOf(ledger: OpenLedger, choices: AnalysisChoices, now: number): Promise<void> {
    const { display, log } = this.options;
    try {
      const { read, known } = await readAnalysis(ledger, choices, display.current, now, this.known);
      this.known = known;
      if (this.isOpen(ledger)) this.current = this.stateOf(choices, read);
    } catch (error) {
      if (!this.isOpen(ledger)) return;
      log.failure('the analysis', error);
      this.current = { kind: 'failed', error };
    }
  }

  /** The same figures stay the same result: its page does not change. */
  private stateOf(choices: AnalysisChoices, read: ReadAnalysis): AnalysisState {
    const { current } = this;
    if (current.kind === 'read' && areSame([current.choices, current.read], [choices, read]))
      return current;
    return { kind: 'read', id: (this.count += 1), choices, read };
  }

  private isOpen(ledger: OpenLedger): boolean {
    return this.options.ledger.current === ledger;
  }

  private followAccount(): void {
    const isOpen = this.options.active.state.kind === 'open';
    if (isOpen === (this.current.kind === 'noAccount')) this.follow();
    else if (this.mayHaveSample()) this.readLater();
  }

  /** A read of the account stores a sample, which is no row. */
  private mayHaveSample(): boolean {
    const { choices, options, readAt } = this;
    const showsSamples = choices !== undefined && analysedView(choices.view) === 'equity';
    // A clock may be set back.
    return showsSamples && Math.abs(options.clock.now() - readAt) >= samplesEveryMs;
  }

  /** Another ledger, account or zone: what is shown is no longer right. */
  private follow(): void {
    const { choices } = this;
    if (!choices) return;
    const reading = this.read(choices).then(() => this.didChange.fire());
    logRejection(this.options.log, 'the analysis', reading);
  }

  private readLater(): void {
    this.stopTimer ??= this.options.clock.after(pauseMs, () => {
      this.stopTimer = undefined;
      if (this.options.isVisible()) this.follow();
    });
  }
}

function areSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
