import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { profilePrefix } from '../../src/account/export/exportLedgers.ts';
import type { TestAccess } from '../../src/extension.ts';

/** Leaves the file of an interrupted export of a profile. The returned function lists the files of its exports. */
export function leaveExport({ context }: TestAccess, profile: string): () => readonly string[] {
  const folder = path.join(context.globalStorageUri.fsPath, 'exports');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, `${profilePrefix(profile)}0.sqlite`), '');
  return () => readdirSync(folder).filter((file) => file.startsWith(profilePrefix(profile)));
}
