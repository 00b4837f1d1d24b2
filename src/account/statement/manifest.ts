import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import * as v from 'valibot';
import type { Interval } from '../../base/interval.ts';
import type { CoveragePart } from '../../ledger/coverage/coverageParts.ts';
import type { Checkpoint, LedgerHistory } from '../../ledger/ledger.ts';
import { sha256OfFile } from '../export/exportedFile.ts';
import type { MonthVerdict, NearestCheckpoints, StatementMonth } from './statementMonth.ts';

export const statementFormats = ['csv', 'parquet'] as const;
export type StatementFormat = (typeof statementFormats)[number];

export type StatementSource = {
  readonly profile: string;
  /** LIVE, TEST or PRACTICE. */
  readonly environment: string;
  readonly origin: string;
};

/** A history in a statement. */
export type StatementHistory = {
  readonly history: LedgerHistory;
  readonly file: string;
  readonly rows: number;
  /** The type of each column, in formats where a column has one. */
  readonly columns: Readonly<Record<string, string>> | undefined;
  readonly parts: readonly CoveragePart[];
};

type StatementBalance = {
  readonly account: string;
  readonly commodity: string;
  /** Null if it is not known: the journals begin at 0. */
  readonly opening: string | null;
  /** Null if transactions of the month may be missing, and after one whose amount is unknown. */
  readonly closing: string | null;
};

type StatementFile = {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
};

/** The statement of the month before, if it lies beside. */
export type PreviousStatement = { readonly folder: string; readonly manifestSha256: string };

/** All that the manifest of a statement says. It has no time that is not one of the account's data. */
export type StatementContents = {
  readonly source: StatementSource;
  readonly month: StatementMonth;
  readonly format: StatementFormat;
  readonly histories: readonly StatementHistory[];
  /** Histories that were never downloaded, and are not part of the account. */
  readonly leftOut: readonly LedgerHistory[];
  readonly start: NearestCheckpoints;
  readonly end: NearestCheckpoints;
  readonly verdicts: readonly MonthVerdict[];
  readonly commodities: ReadonlyMap<string, string>;
  readonly balances: readonly StatementBalance[];
  readonly files: readonly StatementFile[];
  readonly previous: PreviousStatement | null;
  readonly writtenBy: string;
};

export const manifestName = 'manifest.json';
/** In the form that `sha256sum --check` reads. */
export const sumsName = 'SHA256SUMS';
/** Raised when the meaning of a manifest changes. */
const manifestVersion = 1;

export function isComplete({ histories }: Pick<StatementContents, 'histories'>): boolean {
  return histories.every(({ parts }) => parts.every((part) => part.completeness === 'complete'));
}

export function manifestText(contents: StatementContents): string {
  const { source, month, format, leftOut, previous, writtenBy } = contents;
  const manifest = {
    statement: manifestVersion,
    ...source,
    month: month.name,
    zone: month.zone.name,
    ...isoInterval(month),
    completeness: isComplete(contents) ? 'complete' : 'incomplete',
    format,
    histories: contents.histories.map(({ history, file, rows, columns, parts }) => ({
      history,
      file,
      rows,
      columns,
      coverage: parts.map((part) => ({
        ...isoInterval(part),
        completeness: part.completeness,
        reason: part.reason,
      })),
    })),
    leftOut,
    checkpoints: {
      beforeStart: checkpointJson(contents.start.before),
      afterStart: checkpointJson(contents.start.after),
      beforeEnd: checkpointJson(contents.end.before),
      afterEnd: checkpointJson(contents.end.after),
    },
    reconciliation: contents.verdicts.map(({ contradictions, ...verdict }) => ({
      ...verdict,
      contradictions: contradictions.map(({ remainder, key, ...interval }) => {
        return { ...isoInterval(interval), remainder, key };
      }),
    })),
    commodities: [...contents.commodities].map(([asset, commodity]) => ({ asset, commodity })),
    balances: contents.balances,
    files: contents.files,
    previous,
    writtenBy,
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

function checkpointJson(checkpoint: Checkpoint | null): object | null {
  if (!checkpoint) return null;
  const { sentAt, answeredAt, clockErrorMs, ...figures } = checkpoint;
  return { sentAt: iso(sentAt), answeredAt: iso(answeredAt), clockErrorMs, ...figures };
}

function isoInterval({ from, to }: Interval) {
  return { from: iso(from), toExclusive: iso(to) };
}

/** A clock difference may have a part of a millisecond. */
function iso(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

/** The text of `SHA256SUMS`: every file of the statement but itself. */
export function sumsText(files: readonly StatementFile[], manifestSha256: string): string {
  const own = { name: manifestName, sha256: manifestSha256 };
  return [...files, own].map(({ name, sha256 }) => `${sha256}  ${name}\n`).join('');
}

export function sha256Of(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

/** The size and SHA-256 of files in a folder. */
export async function describedFiles(
  folder: string,
  names: readonly string[],
): Promise<readonly StatementFile[]> {
  const files: StatementFile[] = [];
  for (const name of names) {
    const file = path.join(folder, name);
    files.push({ name, bytes: (await stat(file)).size, sha256: await sha256OfFile(file) });
  }
  return files;
}

const digest = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
/** Without a folder. */
const plainName = v.pipe(v.string(), v.regex(/^[^/\\\0]+$/));
const manifestSchema = v.object({
  statement: v.literal(manifestVersion),
  profile: v.string(),
  environment: v.string(),
  origin: v.string(),
  month: v.string(),
  zone: v.string(),
  completeness: v.picklist(['complete', 'incomplete']),
  files: v.array(v.object({ name: plainName, bytes: v.number(), sha256: digest })),
  previous: v.nullable(v.object({ folder: plainName, manifestSha256: digest })),
});
/** What is read of a manifest. */
export type Manifest = v.InferOutput<typeof manifestSchema>;

/** Undefined if it is damaged, or of a version that this one does not know. */
export function parseManifest(bytes: Buffer): Manifest | undefined {
  try {
    return v.parse(manifestSchema, JSON.parse(bytes.toString('utf8')));
  } catch {
    return undefined;
  }
}

/** The files that name others are short: a longer one is not read. */
const mostNamingBytes = 64 * 1024 * 1024;

/** The bytes of a file that names others; empty if there is none, or one that cannot be such a list. */
export async function namingBytes(file: string): Promise<Buffer> {
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile() || found.size > mostNamingBytes) return Buffer.alloc(0);
  return readFile(file);
}
