import type { Clock } from '../../base/time.ts';
import type { ReconciliationReport } from '../../ledger/ledger.ts';
import { LedgerError } from '../../ledger/ledgerError.ts';
import {
  allContradictions,
  isSameContradiction,
  periodsOf,
  type NamedContradiction,
} from '../../ledger/reconciliation/contradictions.ts';
import type { OpenLedger } from '../ledger/openLedger.ts';
import type { CheckedContradiction, ContradictionMemory } from './contradictionMemory.ts';

type ContradictionChecksOptions = {
  readonly memory: ContradictionMemory;
  readonly clock: Clock;
  /** Whether the exchange may be asked in the background. */
  readonly mayRead: () => boolean;
};

/** What a comparison found that has to be checked. */
export type DueCheck = {
  readonly contradictions: readonly NamedContradiction[];
  /** Whether their intervals are read again. */
  readonly isRead: boolean;
};

/** The report after a check, and what an alert has to show of it. */
export type CheckResult = {
  readonly report: ReconciliationReport;
  readonly alerted: readonly NamedContradiction[];
};

/** Each takes a page or more. */
const mostReadAgain = 10;
/** The memory has room for some that are gone. */
const mostFollowed = 100;

/** Has the interval of each contradiction read again, and each shown by one alert. */
export class ContradictionChecks {
  private readonly options: ContradictionChecksOptions;

  constructor(options: ContradictionChecksOptions) {
    this.options = options;
  }

  /** Undefined if there is nothing to check, or another window does that. */
  async due(ledger: OpenLedger, report: ReconciliationReport): Promise<DueCheck | undefined> {
    const { memory, mayRead } = this.options;
    const isRead = mayRead();
    const all = allContradictions(report).slice(0, mostFollowed);
    const isUnread = (each: NamedContradiction): boolean =>
      memory.find(ledger.id, each)?.readAt === null;
    const unknown = this.unknownOf(ledger, all);
    const contradictions = isRead
      ? [...unknown, ...all.filter(isUnread)].slice(0, mostReadAgain)
      : unknown;
    if (contradictions.length === 0 || !(await isWriter(ledger))) return undefined;
    return { contradictions, isRead };
  }

  /** Reads the intervals again. Rejects with ExchangeError, LedgerError, or an abort. */
  async run(
    ledger: OpenLedger,
    before: ReconciliationReport,
    { contradictions, isRead }: DueCheck,
  ): Promise<CheckResult> {
    if (!isRead) return this.remember(ledger, before, contradictions, null);
    for (const [history, intervals] of periodsOf(before, contradictions))
      for (const interval of intervals) await ledger.readAgain(history, interval);
    const readAt = this.options.clock.now();
    const report = await ledger.reader.reconcile();
    return this.remember(ledger, report, contradictions, readAt);
  }

  /** An alert is about an asset: it covers what is not read again yet, and is remembered as unread. */
  private async remember(
    ledger: OpenLedger,
    report: ReconciliationReport,
    checked: readonly NamedContradiction[],
    readAt: number | null,
  ): Promise<CheckResult> {
    const all = allContradictions(report);
    const left = all.filter((each) => isAmong(checked, each));
    const alerted = this.unknownOf(ledger, left);
    const covered = this.unknownOf(ledger, all.slice(0, mostFollowed)).filter(
      (each) => !isAmong(left, each) && alerted.some((one) => isOfSameAsset(one, each)),
    );
    const known: CheckedContradiction[] = [
      ...covered.map((each) => ({ ...each, readAt: null })),
      ...left.map((each) => ({ ...each, readAt })),
    ];
    await this.options.memory.add(ledger.id, known);
    return { report, alerted };
  }

  private unknownOf(
    { id }: OpenLedger,
    contradictions: readonly NamedContradiction[],
  ): readonly NamedContradiction[] {
    return contradictions.filter((each) => !this.options.memory.find(id, each));
  }
}

/** The window that reads into the ledger; none does if it cannot be written. */
async function isWriter(ledger: OpenLedger): Promise<boolean> {
  try {
    return await ledger.isWriter();
  } catch (error) {
    if (error instanceof LedgerError) return false;
    throw error;
  }
}

function isAmong(contradictions: readonly NamedContradiction[], one: NamedContradiction): boolean {
  return contradictions.some((each) => isSameContradiction(each, one));
}

function isOfSameAsset(one: NamedContradiction, other: NamedContradiction): boolean {
  return one.identity === other.identity && one.subject === other.subject;
}
