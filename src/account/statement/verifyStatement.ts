import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { UserFacingError } from '../../base/errors.ts';
import { phrase } from '../../base/phrase.ts';
import { sha256OfFile } from '../export/exportedFile.ts';
import { withFileErrors } from '../export/exportFileError.ts';
import {
  manifestName,
  namingBytes,
  parseManifest,
  sha256Of,
  sumsName,
  sumsText,
  type Manifest,
} from './manifest.ts';

/** What a check of a statement found. It finds damage, not forgery: the sums can be written again. */
export type StatementCheck = {
  /** Files that are not as they were written, by name. */
  readonly damaged: readonly string[];
  readonly missing: readonly string[];
  /** Files in the folder that are not part of the statement. */
  readonly others: readonly string[];
  /** How many files were checked. */
  readonly files: number;
  /** What the manifest says; null if it is damaged or missing. */
  readonly statement: Pick<Manifest, 'profile' | 'month' | 'zone' | 'completeness'> | null;
  /** The statement of the month before; `none` if the manifest names none. */
  readonly previous: 'none' | 'notBeside' | 'same' | 'different';
};

const sumsLine = /^([0-9a-f]{64}) {2}([^/\\\0]+)$/;

/** Compares each file of a statement with its SHA-256. Reads nothing but its folder and the one before it. */
export function verifyStatement(folder: string, signal: AbortSignal): Promise<StatementCheck> {
  return withFileErrors('target', () => compareFiles(folder, signal));
}

async function compareFiles(folder: string, signal: AbortSignal): Promise<StatementCheck> {
  const entries = await readdir(folder, { withFileTypes: true });
  const present = new Map(entries.map((entry) => [entry.name, entry.isFile()]));
  if (!present.has(manifestName) && !present.has(sumsName))
    throw new UserFacingError(
      phrase('“{0}” is not a statement: manifest.json is missing.', path.basename(folder)),
    );
  const { expected, damaged, manifest } = await readLists(folder);
  for (const [name, sha256] of expected) {
    signal.throwIfAborted();
    const isSame =
      present.get(name) === true && (await sha256OfFile(path.join(folder, name))) === sha256;
    if (present.has(name) && !isSame) damaged.add(name);
  }
  const own = [...expected.keys(), manifestName, sumsName];
  return {
    damaged: [...damaged].filter((name) => present.has(name)),
    missing: own.filter((name) => !present.has(name)),
    others: [...present.keys()].filter((name) => !own.includes(name)).toSorted(),
    files: own.length,
    statement: manifest ?? null,
    previous: await previousOf(folder, manifest),
  };
}

type Lists = {
  /** The SHA-256 of each file but the two lists themselves. */
  readonly expected: ReadonlyMap<string, string>;
  /** Those of the two lists that are damaged; both, if they contradict each other. */
  readonly damaged: Set<string>;
  /** Undefined if it is damaged, or of a version that this one does not know. */
  readonly manifest: Manifest | undefined;
};

async function readLists(folder: string): Promise<Lists> {
  const bytes = await namingBytes(path.join(folder, manifestName));
  const sums = await namingBytes(path.join(folder, sumsName));
  const manifest = parseManifest(bytes);
  const sha256 = sha256Of(bytes);
  const ofManifest = new Map(manifest?.files.map((file) => [file.name, file.sha256]));
  const listed = parseSums(sums.toString('utf8'));
  if (!listed)
    return {
      expected: ofManifest,
      manifest,
      damaged: new Set(manifest ? [sumsName] : [sumsName, manifestName]),
    };
  const isIntact = listed.get(manifestName) === sha256;
  listed.delete(manifestName);
  if (!isIntact)
    return { expected: listed, damaged: new Set([manifestName, sumsName]), manifest: undefined };
  if (!manifest) return { expected: listed, damaged: new Set(), manifest };
  const isSame = sumsText(manifest.files, sha256) === sums.toString('utf8');
  return { expected: ofManifest, damaged: new Set(isSame ? [] : [sumsName]), manifest };
}

/** The sums by name; undefined if a line is not a sum. */
function parseSums(text: string): Map<string, string> | undefined {
  if (!text.endsWith('\n')) return undefined;
  const found = new Map<string, string>();
  for (const line of text.slice(0, -1).split('\n')) {
    const [, sha256, name] = sumsLine.exec(line) ?? [];
    if (sha256 === undefined || name === undefined || found.has(name)) return undefined;
    found.set(name, sha256);
  }
  return found;
}

async function previousOf(
  folder: string,
  manifest: Manifest | undefined,
): Promise<StatementCheck['previous']> {
  if (!manifest?.previous) return 'none';
  const { folder: name, manifestSha256 } = manifest.previous;
  const file = path.join(path.dirname(folder), name, manifestName);
  if (!(await stat(file).catch(() => undefined))) return 'notBeside';
  return (await sha256OfFile(file)) === manifestSha256 ? 'same' : 'different';
}
