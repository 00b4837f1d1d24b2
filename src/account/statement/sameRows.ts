import { rm } from 'node:fs/promises';
import path from 'node:path';
import { UserFacingError } from '../../base/errors.ts';
import { phrase } from '../../base/phrase.ts';
import type { LedgerReader, LedgerWriter } from '../../ledger/ledger.ts';
import type { StatementFormat, StatementHistory } from './manifest.ts';
import { isLeftOut, readHistories, type ReadHistory } from './statementCoverage.ts';
import { sha256OfFile } from './statementFiles.ts';
import type { StatementMonth } from './statementMonth.ts';
import { countRows, writeRows, type RowsSource } from './statementRows.ts';

type MonthOfLedger = {
  readonly ledger: {
    readonly reader: Pick<LedgerReader, 'rows' | 'versions'>;
    readonly writer: Pick<LedgerWriter, 'coverage'>;
  };
  readonly month: StatementMonth;
};

/** A history as it was when its statement was begun. */
export type PlannedHistory = ReadHistory & { readonly rows: number; readonly version: string };

export async function plannedHistories({
  ledger,
  month,
}: MonthOfLedger): Promise<readonly PlannedHistory[]> {
  const versions = await ledger.reader.versions();
  const planned: PlannedHistory[] = [];
  for (const read of await readHistories(ledger.writer)) {
    const rows = await countRows(ledger.reader, read.history, month);
    planned.push({ ...read, rows, version: versions[read.history] });
  }
  return planned;
}

type WrittenHistories = MonthOfLedger & {
  readonly format: StatementFormat;
  readonly writtenBy: string;
  readonly rowsSource: RowsSource;
  readonly folder: string;
  readonly histories: readonly StatementHistory[];
};

/** A month that is being read may have got rows meanwhile, which one file has and another lacks. */
export async function requireSameRows(
  written: WrittenHistories,
  planned: readonly PlannedHistory[],
): Promise<void> {
  const versions = await written.ledger.reader.versions();
  for (const history of planned) {
    if (versions[history.history] === history.version) continue;
    if (!(await hasSameRows(written, history)))
      throw new UserFacingError(
        phrase(
          'Nothing was written: the ledger got rows of this month meanwhile. Write the statement again.',
        ),
      );
  }
}

/** Of a history that changed, if only in another month. */
async function hasSameRows(
  { ledger, month, format, writtenBy, rowsSource, folder, histories }: WrittenHistories,
  planned: PlannedHistory,
): Promise<boolean> {
  const { history, rows } = planned;
  if ((await countRows(ledger.reader, history, month)) !== rows) return false;
  const file = histories.find((each) => each.history === history)?.file;
  if (isLeftOut(planned) || file === undefined) return true;
  const [first, again] = [path.join(folder, file), path.join(folder, `${file}.again`)];
  await writeRows(rowsSource, history, format, again, writtenBy);
  const isSame = (await sha256OfFile(first)) === (await sha256OfFile(again));
  await rm(again);
  return isSame;
}
