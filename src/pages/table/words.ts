import { integersIn } from '../../base/display.ts';
import { unknownValue } from '../../base/format.ts';
import type { TableTexts } from '../../protocol/tableTexts.ts';

/** The words of a table page: the texts that came with it, with their values in place. */
export type Words = ReturnType<typeof wordsOf>;

/** Numbers stand in them as `locale`, a BCP 47 tag, groups them. */
export function wordsOf(texts: TableTexts, locale: string) {
  const integers = integersIn(locale);
  const filled = (text: string, ...values: readonly (string | number)[]): string =>
    text.replace(/\{(\d)\}/g, (place, index: string) => {
      const value = values[Number(index)] ?? place;
      return typeof value === 'number' ? integers.format(value) : value;
    });
  const { oneRow, rows, badRecord, badRecords, filters, filtersSet } = texts;
  const headings: Readonly<Record<string, string>> = {
    auth: texts.failedAuth,
    rateLimited: texts.failedRateLimited,
    network: texts.failedNetwork,
    timeout: texts.failedTimeout,
  };
  const rowsRead = (count: number): string => (count === 1 ? oneRow : filled(rows, count));
  const pageOf = (page: number, pages: string): string =>
    pages === unknownValue ? filled(texts.pageOfUnknown, page) : filled(texts.pageOf, page, pages);
  return {
    ...texts,
    asOf: (time: string) => filled(texts.asOf, time),
    pastEnd: (page: number) => filled(texts.pastEnd, page),
    failure: (kind: string) => headings[kind] ?? texts.failed,
    retryIn: (seconds: number) => filled(texts.retryIn, seconds),
    filtersSet: (count: number) => (count > 0 ? filled(filtersSet, count) : filters),
    inZone: (label: string, zone: string) => filled(texts.inZone, label, zone),
    lastDays: (count: number) => (count === 1 ? texts.today : filled(texts.days, count)),
    incompleteInstant: (label: string) => filled(texts.incompleteInstant, label),
    fromAfterTo: (from: string, to: string) => filled(texts.fromAfterTo, from, to),
    ofPages: (pages: string) => filled(texts.ofPages, pages),
    range: (first: string, last: string, total: string) => filled(texts.range, first, last, total),
    givenSize: (size: string) => filled(texts.givenSize, size),
    badRecords: (count: number) => (count === 1 ? badRecord : filled(badRecords, count)),
    andMore: (count: number) => filled(texts.andMore, count),
    rowsRead,
    rowsLoaded: (count: number, page: number, pages: string) =>
      `${rowsRead(count)}, ${pageOf(page, pages)}`,
  };
}
