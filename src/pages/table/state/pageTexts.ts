import { unknownText } from '../../../base/decimal.ts';
import type { TableTexts } from '../../../protocol/texts.ts';
import { formatGridTexts, formatIn } from '../../grid/texts.ts';

/** The texts of a table page, with a function for each text that has placeholders. */
export type PageTexts = ReturnType<typeof formatTexts>;

/** `locale` is a BCP 47 tag; it groups the digits of numbers. */
export function formatTexts(texts: TableTexts, locale: string) {
  const format = formatIn(locale);
  const gridTexts = formatGridTexts(texts, locale);
  const { rowsRead } = gridTexts;
  const { badRecord, badRecords, filters, filtersSet } = texts;
  const failureTitles: Readonly<Record<string, string>> = {
    auth: texts.failedAuth,
    rateLimited: texts.failedRateLimited,
    network: texts.failedNetwork,
    timeout: texts.failedTimeout,
  };
  const pageOf = (page: number, pages: string): string =>
    pages === unknownText ? format(texts.pageOfUnknown, page) : format(texts.pageOf, page, pages);
  return {
    ...texts,
    ...gridTexts,
    allSums: (name: string, figures: readonly [string, string, string]) =>
      format(texts.allSums, name, ...figures),
    moveEarlier: (label: string) => format(texts.moveEarlier, label),
    moveLater: (label: string) => format(texts.moveLater, label),
    readAt: (time: string) => format(texts.readAt, time),
    pastEnd: (page: number) => format(texts.pastEnd, page),
    shownPart: (from: string, to: string) => format(texts.shownPart, from, to),
    failureTitle: (kind: string) => failureTitles[kind] ?? texts.failed,
    earlierRows: (time: string) => format(texts.earlierRows, time),
    earlierFilters: (time: string) => format(texts.earlierFilters, time),
    retryIn: (seconds: number) => format(texts.retryIn, seconds),
    tryAgainIn: (seconds: number) => format(texts.tryAgainIn, seconds),
    filtersSet: (count: number) => (count > 0 ? format(filtersSet, count) : filters),
    inZone: (label: string, zone: string) => format(texts.inZone, label, zone),
    labelled: (label: string, value: string) => format(texts.labelled, label, value),
    removeFilter: (text: string) => format(texts.removeFilter, text),
    lastDays: (count: number) => (count === 1 ? texts.today : format(texts.lastDays, count)),
    since: (time: string) => format(texts.since, time),
    until: (time: string) => format(texts.until, time),
    fromTo: (from: string, to: string) => format(texts.fromTo, from, to),
    invalidInstant: (label: string) => format(texts.invalidInstant, label),
    fromAfterTo: (from: string, to: string) => format(texts.fromAfterTo, from, to),
    perPage: (size: number) => format(texts.perPage, size),
    range: (first: string, last: string, total: string) => format(texts.range, first, last, total),
    serverPageSize: (size: string) => format(texts.serverPageSize, size),
    badRecords: (count: number) => (count === 1 ? badRecord : format(badRecords, count)),
    andMore: (count: number) => format(texts.andMore, count),
    rowsLoaded: (count: number, page: number, pages: string) =>
      `${rowsRead(count)}, ${pageOf(page, pages)}`,
  };
}
