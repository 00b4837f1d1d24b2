import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { StatementFile } from './manifest.ts';

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

export async function sha256OfFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
