/**
 * Why a file could not be written: no room, no permission, its folder is gone, somebody else wrote
 * into it, or the system's own code.
 */
export type FileProblem = 'full' | 'forbidden' | 'missing' | 'changed' | 'other';

/** Where it happened: in the kept part of an export, or where its file is to go. */
export type FilePlace = 'partial' | 'target';

/** A disk that failed an export; what was kept of it stays. Holds no text of the system's message. */
export class ExportFileError extends Error {
  override readonly name = 'ExportFileError';
  readonly problem: FileProblem;
  readonly place: FilePlace;
  /** The system's code, such as EBUSY; `changed` where it is not the system that complains. */
  readonly code: string;

  constructor(place: FilePlace, code: string) {
    super(`${place}: ${code}`);
    this.place = place;
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

/** Does something with files; what the system refuses becomes an ExportFileError. */
export async function onDisk<T>(place: FilePlace, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = codeOf(error);
    throw code === undefined ? error : new ExportFileError(place, code);
  }
}

/** The code of an error of the system; undefined for any other. */
export function codeOf(error: unknown): string | undefined {
  const hasCode = error instanceof Error && 'syscall' in error && 'code' in error;
  return hasCode ? String(error.code) : undefined;
}
