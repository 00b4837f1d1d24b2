import type { Disposable } from '../../base/disposable.ts';
import type { Clock } from '../../base/time.ts';
import { logRejection, type Log } from '../shared/log.ts';
import type { TablePageReader } from './tablePageReader.ts';

type LedgerFollowerOptions = {
  readonly pageReader: Pick<TablePageReader, 'pageBehindLedger'>;
  readonly isVisible: () => boolean;
  /** The ledger has other rows than this page. */
  readonly onChange: (pageId: number) => void;
  readonly clock: Clock;
  readonly log: Log;
};

/** Writes come in quick succession, and a page may have many rows. */
const delayMs = 1000;

/** Finds out when a page of the ledger is out of date: at most once a second, and not while nobody sees it. */
export class LedgerFollower implements Disposable {
  private readonly options: LedgerFollowerOptions;
  private asked = 0;
  private isLooking = false;
  private stopTimer: () => void = () => undefined;

  constructor(options: LedgerFollowerOptions) {
    this.options = options;
  }

  /** The ledger was written, or the page was read or shown again. */
  look(): void {
    const { clock, log, isVisible } = this.options;
    if (!isVisible()) return;
    this.asked += 1;
    if (this.isLooking) return;
    this.isLooking = true;
    this.stopTimer = clock.after(delayMs, () =>
      logRejection(log, 'following the ledger', this.compare()),
    );
  }

  dispose(): void {
    this.stopTimer();
  }

  /** What is written meanwhile is looked for after that. */
  private async compare(): Promise<void> {
    const { pageReader, isVisible, onChange } = this.options;
    const { asked } = this;
    try {
      const pageId = await pageReader.pageBehindLedger();
      if (pageId !== undefined && isVisible()) onChange(pageId);
    } finally {
      this.isLooking = false;
      if (asked !== this.asked) this.look();
    }
  }
}
