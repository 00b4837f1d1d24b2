import { unknownText } from '../../../base/decimal.ts';
import { integerFormat } from '../../../base/display.ts';
import type { Phrase } from '../../../base/phrase.ts';
import type { CellSelection } from '../../../protocol/gridMessages.ts';
import type {
  GridTextName,
  gridPhrases,
  TableTexts,
  tablePhrases,
} from '../../../protocol/texts.ts';
import { cellCount } from '../selection/selection.ts';

/** The texts of a table page: a text that has places is a function of what fills them. */
export type PageTexts = ReturnType<typeof formatTexts>;
/** The same of a grid. */
export type GridTexts = ReturnType<typeof formatGridTexts>;

/** `locale` is a BCP 47 tag; it groups the digits of numbers. */
export function formatTexts(texts: TableTexts, locale: string) {
  const filled = fill<typeof tablePhrases>(texts, locale);
  const gridTexts = formatGridTexts(texts, locale);
  const { badRecord, failedAuth, failedRateLimited, failedNetwork, failedTimeout } = texts;
  const failureTitles: Readonly<Record<string, string>> = {
    auth: failedAuth,
    rateLimited: failedRateLimited,
    network: failedNetwork,
    timeout: failedTimeout,
  };
  const pageOf = (page: number, pages: string): string =>
    pages === unknownText ? filled.pageOfUnknown(page) : filled.pageOf(page, pages);
  return {
    ...texts,
    ...filled,
    ...gridTexts,
    failureTitle: (kind: string) => failureTitles[kind] ?? texts.failed,
    filtersSet: (count: number) => (count > 0 ? filled.filtersSet(count) : texts.filters),
    lastDays: (count: number) => (count === 1 ? texts.today : filled.lastDays(count)),
    badRecords: (count: number) => (count === 1 ? badRecord : filled.badRecords(count)),
    rowsLoaded: (count: number, page: number, pages: string) =>
      `${gridTexts.rowsRead(count)}, ${pageOf(page, pages)}`,
  };
}

export function formatGridTexts(texts: Readonly<Record<GridTextName, string>>, locale: string) {
  const filled = fill<typeof gridPhrases>(texts, locale);
  const copiedCells = (selection: CellSelection | null): string => {
    if (!selection) return texts.copied;
    const { isRows, rows } = selection;
    const count = isRows ? rows.length : cellCount(selection);
    if (count === 1) return isRows ? texts.copiedRow : texts.copiedCell;
    return isRows ? filled.copiedRows(count) : filled.copiedCells(count);
  };
  return {
    ...filled,
    copiedCells,
    rowsRead: (count: number) => (count === 1 ? texts.oneRow : filled.rows(count)),
    /** What was added up, and how many rows lack it. */
    lacking: (figures: string, rows: number) =>
      rows === 0 ? figures : filled.lacking(figures, rows),
  };
}

type Value = string | number;

/** What fills the places `{0}`, `{1}` … of an English text. */
type ValuesOf<
  Text extends string,
  Values extends readonly Value[] = [],
> = Text extends `${string}{${Values['length']}}${string}`
  ? ValuesOf<Text, readonly [...Values, Value]>
  : Values;

type Filled<Phrases extends Readonly<Record<string, Phrase>>> = {
  readonly [Name in keyof Phrases]: Phrases[Name]['text'] extends `${string}{0}${string}`
    ? (...values: ValuesOf<Phrases[Name]['text']>) => string
    : string;
};

/** The host sends texts with the places that the English ones have. */
function fill<Phrases extends Readonly<Record<string, Phrase>>>(
  texts: Readonly<Record<keyof Phrases, string>>,
  locale: string,
): Filled<Phrases> {
  const integers = integerFormat(locale);
  const filled = Object.entries<string>(texts).map(([name, text]) => {
    if (!text.includes('{0}')) return [name, text];
    const withValues = (...values: readonly Value[]): string =>
      text.replace(/\{(\d)\}/g, (place, index: string) => {
        const value = values[Number(index)] ?? place;
        return typeof value === 'number' ? integers.format(value) : value;
      });
    return [name, withValues];
  });
  return Object.fromEntries(filled) as Filled<Phrases>;
}
