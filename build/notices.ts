import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Metafile } from 'esbuild';

/** The notices, in the package. */
export const noticesFile = 'dist/THIRD_PARTY_NOTICES.txt';

/** A line that no license has. */
export const noticeSeparator = `\n${'-'.repeat(80)}\n\n`;

/** The folders of the packages of whose code a bundle has some, in order. */
export function packagesIn(metafiles: readonly Metafile[]): readonly string[] {
  const files = metafiles
    .flatMap(({ outputs }) => Object.values(outputs))
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([file]) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []);
  return [...new Set(files)].sort();
}

/** The name, the version and the whole license of each of these packages. */
export async function noticesOf(folders: readonly string[]): Promise<string> {
  const notices = await Promise.all(folders.map(noticeOf));
  return ['Margin Desk contains code of these packages.\n', ...notices].join(noticeSeparator);
}

async function noticeOf(folder: string): Promise<string> {
  const manifest = await readFile(path.join(folder, 'package.json'), 'utf8');
  const { name, version, license } = JSON.parse(manifest) as Record<string, string>;
  const text =
    (await fileOf(folder, /^licen[cs]e/i)) ?? licensePart(await fileOf(folder, /^readme/i));
  if (!text) throw new Error(`The license of ${name} is in none of its files.`);
  return `${name} ${version} (${license})\n\n${text.trim()}\n`;
}

async function fileOf(folder: string, pattern: RegExp): Promise<string | undefined> {
  const file = (await readdir(folder)).find((each) => pattern.test(each));
  return file === undefined ? undefined : readFile(path.join(folder, file), 'utf8');
}

/** Some packages have their license only as a part of their description. */
function licensePart(readme = ''): string | undefined {
  return /^(?:#+ *licen[cs]e|licen[cs]e\n-+)\s+([^#[]+)/im.exec(readme)?.[1];
}
