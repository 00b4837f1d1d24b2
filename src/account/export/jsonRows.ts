import { utcInstant, utcNameOf, type ExportRecord, type Fields } from './fields.ts';
import type { RowWriter } from './rowWriter.ts';

/** A JSON array, one record a line. Numbers are the text of the wire; what else a record had is in `extra`. */
export function jsonWriter(fields: Fields): RowWriter {
  return {
    head: '[',
    row: (record, isFirst) => `${isFirst ? '' : ','}\n${recordText(record, fields)}`,
    tail: '\n]\n',
  };
}

/** JSON Lines: the same records, without an array around them. */
export function jsonLinesWriter(fields: Fields): RowWriter {
  return { head: '', row: (record) => `${recordText(record, fields)}\n`, tail: '' };
}

function recordText(record: ExportRecord, fields: Fields): string {
  const members = Object.entries(fields).flatMap(([field, kind]) => {
    const value = record[field] ?? null;
    if (typeof value !== 'string' || kind === 'text') return [member(field, JSON.stringify(value))];
    if (kind !== 'time') return [member(field, value)];
    return [member(field, value), member(utcNameOf(field), JSON.stringify(utcInstant(value)))];
  });
  const hasExtra = Object.keys(record.extra).length > 0;
  return object(hasExtra ? [...members, member('extra', JSON.stringify(record.extra))] : members);
}

function object(members: readonly string[]): string {
  return `{${members.join(',')}}`;
}

function member(key: string, text: string): string {
  return `${JSON.stringify(key)}:${text}`;
}
