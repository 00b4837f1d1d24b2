import { l10n } from 'vscode';
import type { Display } from '../../base/display.ts';
import type { HistoryRecord } from '../../exchange/history/historyRecords.ts';
import type { RecordFields, RelatedRecords } from '../../protocol/table.ts';
import type { PanelLedger } from './ledgerRows.ts';
import { recordFields } from './pageRendering.ts';
import { cellOf, type HistoryTable } from './tableDefinition.ts';
import type { ReadRecord } from './tablePageReader.ts';

/** What became of a record that was read from the ledger: whether it is still listed, and what it said before. */
export async function pastOf(
  { columns }: HistoryTable,
  { record, history }: ReadRecord,
  { current }: PanelLedger,
  display: Display,
): Promise<readonly RelatedRecords[]> {
  if (!current || history === null) return [];
  // The record is shown without its past if that cannot be read.
  const past = await current.reader
    .past(history, record as HistoryRecord)
    .catch(() => ({ unlistedSince: null, versions: [] }));
  const newer = [record, ...past.versions.map((version) => version.record)];
  return [
    ...(past.unlistedSince === null ? [] : [unlisted(past.unlistedSince, display)]),
    ...past.versions.map(({ record: before, replacedAt }, index) => ({
      sentence: l10n.t(
        'Changed, according to the read of {0}. Before:',
        timeText(replacedAt, display),
      ),
      records: [changedFields(before, newer[index] ?? record, columns, display)],
    })),
  ];
}

function unlisted(since: number, display: Display): RelatedRecords {
  const sentence = l10n.t(
    'The exchange no longer lists this record: the read of {0} showed older and newer ones without it.',
    timeText(since, display),
  );
  return { sentence, records: [] };
}

/** The fields that said something else than after the change. */
function changedFields(
  before: object,
  after: object,
  columns: HistoryTable['columns'],
  display: Display,
): RecordFields {
  const changed = columns.filter(({ field }) => cellOf(before, field) !== cellOf(after, field));
  const { fields, extra } = recordFields(before, changed, display);
  const unchanged = new Set(recordFields(after, [], display).extra.map(keyOf));
  return { fields, extra: extra.filter((each) => !unchanged.has(keyOf(each))) };
}

function keyOf({ name, text }: RecordFields['extra'][number]): string {
  return JSON.stringify([name, text]);
}

function timeText(epochMs: number, display: Display): string {
  return display.timeToSecond(String(epochMs));
}
