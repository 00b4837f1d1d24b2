import { unknownText } from '../../../base/decimal.ts';
import type { TableTexts, tablePhrases } from '../../../protocol/texts.ts';
import { fill } from '../../fill.ts';
import { formatGridTexts } from '../../grid/texts.ts';

/** The texts of a table page: a text that has places is a function of what fills them. */
export type PageTexts = ReturnType<typeof formatTexts>;

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
