import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import path from 'node:path';
import { exportEnd } from './exportEnd.ts';
import { onDisk } from './exportFileError.ts';
import type { ExportPlan } from './exportPlan.ts';
import type { Progress } from './progress.ts';

/** What is told of the file itself. */
export type ExportedFile = {
  readonly path: string;
  readonly sha256: string;
  readonly endedAt: number;
  /** The application that wrote it, with its version. */
  readonly writtenBy: string;
};

/** The description that lies beside an exported file, as JSON: what it holds and how far to trust it. */
export function exportMeta(plan: ExportPlan, progress: Progress, file: ExportedFile): string {
  const { profile, environment, origin, operation, filters, format } = plan;
  const { range, startedAt, rows, badRecords, unmatched, reads } = progress;
  const { completeness, reason } = exportEnd(progress);
  const meta = {
    file: path.basename(file.path),
    sha256: file.sha256,
    format,
    rows,
    completeness,
    reason,
    profile,
    environment,
    origin,
    operation,
    filters,
    range: { from: range.from === undefined ? null : iso(range.from), toExclusive: iso(range.to) },
    zone: 'UTC',
    startedAt: iso(startedAt),
    endedAt: iso(file.endedAt),
    reads,
    badRecords,
    unmatched,
    writtenBy: file.writtenBy,
  };
  return `${JSON.stringify(meta, null, 2)}\n`;
}

/** The SHA-256 of a file in hex. */
export function sha256Of(file: string): Promise<string> {
  return onDisk('partial', async () => {
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
    return hash.digest('hex');
  });
}

function iso(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
