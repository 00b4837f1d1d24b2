import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';

/** What a ledger takes: its file and journal, and what was set aside of it. */
export function bytesOnDisk(folder: string, id: string): number {
  const files = readdirSync(folder).filter((name) => name.startsWith(id));
  const sizes = files.map(
    (name) => statSync(path.join(folder, name), { throwIfNoEntry: false })?.size ?? 0,
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
