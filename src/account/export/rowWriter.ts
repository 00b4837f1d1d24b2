import { csvWriter } from './csv.ts';
import type { ExportRecord, Fields } from './fields.ts';
import { jsonLinesWriter, jsonWriter } from './jsonRows.ts';

/** Writes records as a text, piece by piece: `head`, the rows in order, `tail`. Pure. */
export type RowWriter = {
  readonly head: string;
  row(record: ExportRecord, isFirst: boolean): string;
  readonly tail: string;
};

export const formatNames = ['csv', 'json', 'jsonl'] as const;
/** The forms of an exported file, named as its name ends. */
export type FormatName = (typeof formatNames)[number];

const writers: Readonly<Record<FormatName, (fields: Fields) => RowWriter>> = {
  csv: csvWriter,
  json: jsonWriter,
  jsonl: jsonLinesWriter,
};

export function rowWriter(format: FormatName, fields: Fields): RowWriter {
  return writers[format](fields);
}
