import { withFile } from '../storage/ledgerFile.ts';
import { orProblem, withBotBook, type BotSource, type Problem } from './botFile.ts';
import { compareBook } from './compare.ts';
import type { Comparison, ComparisonChoices } from './comparison.ts';
import { comparisonReader } from './ledgerReader.ts';

export type ComparedBook = Comparison | Problem;

/** Compares the books of a bot with the file of a ledger. Both may be in use, and stay as they are. */
export function compareFile(
  ledgerFile: string,
  source: BotSource,
  choices: ComparisonChoices,
): ComparedBook {
  return orProblem(() =>
    withBotBook(source, (book) =>
      withFile(ledgerFile, (database) => {
        // A comparison reads each record once.
        database.exec('PRAGMA cache_size = -16384');
        return compareBook(book, comparisonReader(database), choices);
      }),
    ),
  );
}
