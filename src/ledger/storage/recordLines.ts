import { parseJson, sortedByName } from '../../base/exactJson.ts';
import type { HistoryRecord } from '../../exchange/history/records.ts';

/** A record as JSON: its numbers are text as the exchange wrote them, those of `extra` are JSON's own. */
export type RecordJson = string;

export function recordJson(record: HistoryRecord): RecordJson {
  return JSON.stringify(record);
}

/** The same record. */
export function parseRecord(json: RecordJson): HistoryRecord {
  // Only the numbers of `extra` need the slower parser.
  const hasNoExtra = json.endsWith('"extra":{}}');
  return (hasNoExtra ? JSON.parse(json) : parseJson(json)) as HistoryRecord;
}

/** Whether two records are the same, whatever the order of their fields. */
export function isSameRecord(one: RecordJson, other: RecordJson): boolean {
  return one === other || canonical(one) === canonical(other);
}

function canonical(json: RecordJson): string {
  return JSON.stringify(sortedByName(parseJson(json)));
}
