import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { constants, copyFile, open, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { unverifiableFilters } from '../../exchange/history/filterRules.ts';
import { withFileErrors, systemErrorCode } from './exportFileError.ts';
import type { ExportPlan } from './exportPlan.ts';
import { exportCompleteness, type Progress } from './progress.ts';

type ExportedFile = {
  readonly path: string;
  readonly sha256: string;
  /** The type of each column, in formats where a column has one. */
  readonly columns: Readonly<Record<string, string>> | undefined;
  readonly endedAt: number;
  /** The name and version of the extension. */
  readonly writtenBy: string;
};

/** The text of the `.meta.json` beside an exported file: what the file has, and whether it is complete. */
export function exportMeta(plan: ExportPlan, progress: Progress, file: ExportedFile): string {
  const { profile, environment, origin, operation, filters, format } = plan;
  const { range, source, startedAt, rows, badRecords, unmatched, reads } = progress;
  const { completeness, reason } = exportCompleteness(progress);
  const meta = {
    file: path.basename(file.path),
    sha256: file.sha256,
    format,
    columns: file.columns,
    rows,
    completeness,
    reason,
    profile,
    environment,
    origin,
    source,
    operation,
    filters,
    range: { from: range.from === undefined ? null : iso(range.from), toExclusive: iso(range.to) },
    zone: 'UTC',
    startedAt: iso(startedAt),
    endedAt: iso(file.endedAt),
    reads,
    badRecords,
    unmatched,
    unverifiedFilters: unverifiableFilters(operation, filters),
    writtenBy: file.writtenBy,
  };
  return `${JSON.stringify(meta, null, 2)}\n`;
}

export function sha256Of(file: string): Promise<string> {
  return withFileErrors('partial', async () => {
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
    return hash.digest('hex');
  });
}

function iso(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

export function metaFileName(file: string): string {
  return `${file}.meta.json`;
}

/**
 * Moves a finished file to its target, replacing what is there, and writes its meta file. Neither name
 * ever has half a file. If the file cannot be moved, this rejects with ExportFileError, and the source,
 * the target and its meta file stay as they were.
 */
export function moveIntoPlace(source: string, target: string, meta: string): Promise<void> {
  const metaFile = metaFileName(target);
  return withFileErrors('target', () =>
    writeAtomically(metaFile, async (draft) => {
      await writeFile(draft, meta, { mode: 0o600, flag: 'wx', flush: true });
      await move(source, target);
    }),
  );
}

/** A file cannot be renamed to another disk: there it is copied. */
async function move(source: string, target: string): Promise<void> {
  try {
    await rename(source, target);
  } catch (error) {
    if (systemErrorCode(error) !== 'EXDEV') throw error;
    await writeAtomically(target, async (draft) => {
      await copyFile(source, draft, constants.COPYFILE_EXCL);
      await flush(draft);
    });
    await rm(source, { force: true }).catch(() => undefined);
  }
}

async function flush(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Writes a file under a temporary name beside its own, then renames it. */
async function writeAtomically(
  file: string,
  write: (draft: string) => Promise<void>,
): Promise<void> {
  const draft = `${file}.${crypto.randomUUID().slice(0, 8)}.part`;
  try {
    await write(draft);
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
}
