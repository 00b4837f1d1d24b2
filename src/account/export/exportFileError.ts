/** Why a file could not be written. `changed`: another program wrote to it. */
type FileProblem = 'full' | 'forbidden' | 'missing' | 'changed' | 'other';

/** The unfinished export, or the place that was chosen for its file. */
type FileLocation = 'partial' | 'target';

/** A disk error of an export, whose saved rows stay. It has no text of the system, which may name paths. */
export class ExportFileError extends Error {
  override readonly name = 'ExportFileError';
  readonly problem: FileProblem;
  readonly location: FileLocation;
  /** The system's code, such as EBUSY, or `changed`. */
  readonly code: string;

  constructor(location: FileLocation, code: string) {
    super(`${location}: ${code}`);
    this.location = location;
    this.code = code;
    this.problem = problems[code] ?? 'other';
  }
}

const problems: Readonly<Record<string, FileProblem>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EFBIG: 'full',
  EACCES: 'forbidden',
  EPERM: 'forbidden',
  EROFS: 'forbidden',
  ENOENT: 'missing',
  ENOTDIR: 'missing',
  changed: 'changed',
};

/** Runs `work`; an error of the system becomes an ExportFileError. */
export async function withFileErrors<T>(
  location: FileLocation,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = systemErrorCode(error);
    throw code === undefined ? error : new ExportFileError(location, code);
  }
}

/** The code of a system error; undefined for any other error. */
export function systemErrorCode(error: unknown): string | undefined {
  const hasCode = error instanceof Error && 'syscall' in error && 'code' in error;
  return hasCode ? String(error.code) : undefined;
}
