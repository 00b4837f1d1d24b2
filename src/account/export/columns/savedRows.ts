import { createReadStream } from 'node:fs';
import type { Cells } from './exportColumns.ts';

const lineEnd = 0x0a;
/** Rows are handed on in pieces of this size, between which the window can do other work. */
const pieceBytes = 64 * 1024;

/** The rows of a file with a row of cells per line, in pieces. Its end is a line end. */
export async function* savedRows(
  file: string,
  signal: AbortSignal,
): AsyncGenerator<readonly Cells[]> {
  let rest = Buffer.alloc(0);
  for await (const chunk of createReadStream(file, { highWaterMark: pieceBytes })) {
    signal.throwIfAborted();
    const bytes = Buffer.concat([rest, chunk as Buffer]);
    const end = bytes.lastIndexOf(lineEnd) + 1;
    rest = bytes.subarray(end);
    if (end > 0) yield parsed(bytes.toString('utf8', 0, end - 1));
  }
}

function parsed(lines: string): readonly Cells[] {
  return lines.split('\n').map((line) => JSON.parse(line) as Cells);
}
