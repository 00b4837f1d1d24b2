import { Emitter } from '../../src/base/emitter.ts';
import type { OpenLedger } from '../../src/host/ledger/openLedger.ts';
import type { PanelLedger } from '../../src/host/tables/panelState.ts';
import type { LedgerCalls } from '../../src/ledger/storedLedger.ts';
import type { Coverage, LedgerHistory } from '../../src/ledger/ledger.ts';
import { parseRecord, recordJson } from '../../src/ledger/storage/recordLines.ts';

/** An account without a ledger. */
export const noLedger: PanelLedger = {
  current: undefined,
  onDidChange: () => ({ dispose: () => undefined }),
  onDidWrite: () => ({ dispose: () => undefined }),
};

const noRows = { lines: [], start: { last: 0, after: null }, next: null };

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

  constructor(
    stored: Pick<LedgerCalls, 'rows' | 'sums' | 'past' | 'versions' | 'coverage' | 'checkpoints'> &
      Partial<Pick<LedgerCalls, 'findIds' | 'feeSign' | 'piece'>>,
  ) {
    const answer = async <T>(read: () => T | Promise<T>): Promise<T> => {
      if (this.failure) throw this.failure;
      return read();
    };
    const rows: OpenLedger['reader']['rows'] = async (query, offset, limit) => {
      const { lines, ...counts } = await answer(() => stored.rows(query, offset, limit));
      return { rows: lines.map(parseRecord), ...counts };
    };
    this.current = {
      id: 'ledger',
      claimWriting: () => Promise.resolve(false),
      readAgain: () => Promise.resolve(),
      reader: {
        rows,
        piece: async (...of) => {
          const { lines, ...places } = await answer(() => stored.piece?.(...of) ?? noRows);
          return { rows: lines.map(parseRecord), ...places };
        },
        sums: (query, fields) => answer(() => stored.sums(query, fields)),
        past: async (history, record) => {
          const past = await answer(() => stored.past(history, recordJson(record)));
          const parsed = past.versions.map(({ line, replacedAt }) => {
            return { record: parseRecord(line), replacedAt };
          });
          return { ...past, versions: parsed };
        },
        versions: () => answer(() => stored.versions()),
        findIds: (places, ids) => answer(() => stored.findIds?.(places, ids) ?? []),
        feeSign: () => answer(() => stored.feeSign?.() ?? null),
        checkpoints: (interval) => answer(() => stored.checkpoints(interval)),
      } as Partial<OpenLedger['reader']> as OpenLedger['reader'],
      writer: {
        coverage: (history): Promise<readonly Coverage[]> => answer(() => stored.coverage(history)),
      } as OpenLedger['writer'],
      onDidChange: this.onDidChange,
      synchronise: async (histories) => {
        this.synchronised += 1;
        this.synchronisedHistories = histories;
        return answer(() => !this.isReadElsewhere);
      },
    };
  }
}
