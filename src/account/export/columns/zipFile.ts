import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createDeflateRaw } from 'node:zlib';

/** Sizes and places beyond need an extension of the format. */
const largest = 0xffff_ffff;

export class ZipTooLarge extends Error {
  override readonly name = 'ZipTooLarge';
}

/** An entry that was written: what its two headers say. */
type ZipEntry = {
  readonly name: Buffer;
  readonly start: number;
  readonly crc: number;
  readonly compressed: number;
  readonly size: number;
};

/** A ZIP archive that is written entry by entry, each compressed while it is made. Equal entries give equal bytes. */
export class ZipFile {
  private readonly file: FileHandle;
  private readonly entries: ZipEntry[] = [];
  private offset = 0;

  /** `file` is empty. */
  constructor(file: FileHandle) {
    this.file = file;
  }

  async add(name: string, texts: Iterable<string> | AsyncIterable<string>): Promise<void> {
    const started = { name: Buffer.from(name), start: this.offset };
    // Written again once the entry is: it says what the entry has.
    await this.append(localHeader({ ...started, crc: 0, compressed: 0, size: 0 }));
    const dataStart = this.offset;
    const sums = { crc: 0, size: 0 };
    await pipeline(
      Readable.from(summed(texts, sums)),
      createDeflateRaw(),
      async (chunks: AsyncIterable<Buffer>) => {
        for await (const chunk of chunks) await this.append(chunk);
      },
    );
    const entry = { ...started, ...sums, compressed: this.offset - dataStart };
    if (entry.size > largest || this.offset > largest) throw new ZipTooLarge();
    const header = localHeader(entry);
    await this.file.write(header, 0, header.length, entry.start);
    this.entries.push(entry);
  }

  /** Writes the directory of the archive. */
  async finish(): Promise<void> {
    const start = this.offset;
    for (const entry of this.entries) await this.append(directoryHeader(entry));
    const end = Buffer.alloc(22);
    end.writeUInt32LE(0x0605_4b50, 0);
    end.writeUInt16LE(this.entries.length, 8);
    end.writeUInt16LE(this.entries.length, 10);
    end.writeUInt32LE(this.offset - start, 12);
    end.writeUInt32LE(start, 16);
    await this.append(end);
  }

  private async append(bytes: Buffer): Promise<void> {
    await this.file.write(bytes, 0, bytes.length, this.offset);
    this.offset += bytes.length;
  }
}

async function* summed(
  texts: Iterable<string> | AsyncIterable<string>,
  sums: { crc: number; size: number },
): AsyncGenerator<Buffer> {
  for await (const text of texts) {
    const bytes = Buffer.from(text);
    sums.crc = crc32(bytes, sums.crc);
    sums.size += bytes.length;
    yield bytes;
  }
}

function localHeader(entry: ZipEntry): Buffer {
  const signature = Buffer.alloc(4);
  signature.writeUInt32LE(0x0403_4b50);
  return Buffer.concat([signature, describe(entry), entry.name]);
}

function directoryHeader(entry: ZipEntry): Buffer {
  const [start, end] = [Buffer.alloc(6), Buffer.alloc(14)];
  start.writeUInt32LE(0x0201_4b50);
  start.writeUInt16LE(version, 4);
  end.writeUInt32LE(entry.start, 10);
  return Buffer.concat([start, describe(entry), end, entry.name]);
}

/** The version of the format that has deflated entries. */
const version = 20;

/** What both headers contain about an entry. Its time is the first that a ZIP can have, midnight of 1 January 1980. */
function describe({ name, crc, compressed, size }: ZipEntry): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(version, 0);
  fields.writeUInt16LE(0x0800, 2); // UTF-8 names
  fields.writeUInt16LE(8, 4); // deflate
  fields.writeUInt16LE((1 << 5) | 1, 8);
  fields.writeUInt32LE(crc, 10);
  fields.writeUInt32LE(Math.min(compressed, largest), 14);
  fields.writeUInt32LE(Math.min(size, largest), 18);
  fields.writeUInt16LE(name.length, 22);
  return fields;
}
