import type { LedgerRecord, ReconciliationReport } from '../ledger.ts';
import { parseRecord, recordJson } from '../storage/recordLines.ts';

/** A report as JSON, in which each record is the text that it is stored as: no digit of it changes. */
export function reportJson(report: ReconciliationReport): string {
  return JSON.stringify(report, (key, value: unknown) =>
    key === 'record' ? recordJson(value as LedgerRecord) : value,
  );
}

/** The same report. */
export function parseReport(json: string): ReconciliationReport {
  return JSON.parse(json, (key, value: unknown) =>
    key === 'record' ? parseRecord(String(value)) : value,
  ) as ReconciliationReport;
}
