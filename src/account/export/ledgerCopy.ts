import { createHash } from 'node:crypto';
import type { ConventionResolver } from '../../exchange/conventions/conventionResolver.ts';
import type { HistorySelection } from '../../exchange/history/historyRecords.ts';
import { ledgerHistoryOf } from '../../ledger/selectionQuery.ts';
import type { RowSerializer } from './exportFormats.ts';
import { ledgerRowsOf, resultOfLedger, type ExportLedger } from './ledgerSource.ts';
import type { PartialFile } from './partialFile.ts';
import type { Progress } from './progress.ts';

type LedgerCopy = {
  readonly ledger: ExportLedger;
  readonly request: HistorySelection;
  readonly client: { readonly conventions: Pick<ConventionResolver, 'current'> };
  /** Has nothing but the header. */
  readonly partial: PartialFile;
  readonly serializer: RowSerializer;
  readonly onProgress: (progress: Progress) => void;
  readonly signal: AbortSignal;
};

/** A copy of all rows, and what tells it apart from another one. */
type CopiedRows = { readonly progress: Progress; readonly identity: string };

/** Few enough to be written without blocking the window. */
const pageSize = 5000;
const mostCopies = 3;

/**
 * Copies the rows of the ledger into the partial file, as they were at one moment: a row that the ledger gets
 * between two pages moves the rows after it. False if the ledger kept changing; then no part of a copy is left.
 * Nothing is recorded before the end: an interrupted copy is read from the exchange when it is resumed.
 */
export async function copyLedger(copy: LedgerCopy): Promise<boolean> {
  const { ledger, request, partial } = copy;
  const history = ledgerHistoryOf(request);
  const versionNow = async (): Promise<string> => (await ledger.reader.versions())[history];
  let before: CopiedRows | undefined;
  for (let copies = 0; copies < mostCopies; copies += 1) {
    const version = await versionNow();
    const copied = await copyRows(copy);
    // While other periods are downloaded, the version never stays: two equal copies show that these rows do.
    if (copied.identity === before?.identity || (await versionNow()) === version) {
      await partial.save(copied.progress);
      return true;
    }
    before = copied;
    await partial.dropUnrecorded();
  }
  return false;
}

/** Reads the rows once, and then what the ledger proves of them. */
async function copyRows(copy: LedgerCopy): Promise<CopiedRows> {
  const { ledger, request, client, partial, serializer, onProgress, signal } = copy;
  const { range } = partial.progress;
  const query = ledgerRowsOf(request, range, client.conventions);
  const digest = createHash('sha256');
  let progress: Progress = { ...partial.progress, source: 'ledger' };
  for (;;) {
    const { rows: before } = progress;
    const { rows: records, total } = await ledger.reader.rows(query, before, pageSize);
    signal.throwIfAborted();
    const rows = before + records.length;
    const texts = records.map((record, index) => serializer.row(record, before + index === 0));
    const text = texts.join('');
    digest.update(text);
    const bytes = progress.bytes + (await partial.append(text));
    progress = { ...progress, rows, bytes, part: total === 0 ? 1 : rows / total };
    onProgress(progress);
    if (records.length < pageSize) break;
  }
  const end = await resultOfLedger(ledger, request, range);
  const identity = `${end.completeness} ${digest.digest('hex')}`;
  return { progress: { ...progress, part: 1, end }, identity };
}
