import { orProblem, readBotBook, type BotSource, type Problem } from './botFile.ts';
import { storedReader } from '../reconciliation/storedReader.ts';
import { withFile } from '../storage/ledgerFile.ts';
import { compareBook } from './compare.ts';
import type { Comparison, ComparisonChoices } from './comparison.ts';

export type ComparedBook = Comparison | Problem;

/** Compares the books of a bot with the file of a ledger. Both may be in use, and stay as they are. */
export function compareFile(
  ledgerFile: string,
  source: BotSource,
  choices: ComparisonChoices,
): ComparedBook {
  return orProblem(() => {
    const book = readBotBook(source);
    return withFile(ledgerFile, (database) => {
      // A comparison reads each record once.
      database.exec('PRAGMA cache_size = -16384');
      const symbols = (): string[] =>
        database
          .prepare(`SELECT word FROM words WHERE history = 'trades' AND field = 'symbol'`)
          .all()
          .map(({ word }) => String(word));
      return compareBook(book, { ...storedReader(database), symbols }, choices);
    });
  });
}
