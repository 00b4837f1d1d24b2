import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';
import { cleanText } from '../base/cleanText.ts';
import { secondMs } from '../base/time.ts';

const grantSchema = v.strictObject({
  /** The name of its profile. */
  account: v.string(),
  environment: v.picklist(['live', 'test', 'practice']),
  /** The file of its ledger. */
  ledger: v.string(),
  amounts: v.picklist(['shown', 'hidden']),
  lasts: v.picklist(['whileWindowIsOpen', 'always']),
});
/** What a person allowed: agents may read this account. */
export type Grant = Readonly<v.InferOutput<typeof grantSchema>>;

const mostLogBytes = 1_000_000;

/** How often a window says that it is still open. */
export const heartbeatMs = 4 * secondMs;
/** A window that was silent for so long is not open. */
const silentMs = 4 * heartbeatMs;

/**
 * The grants in a folder, a file each: of a window, or of an account for always. The server reads them before each
 * answer; a file that is gone, damaged or of a window that is not open allows nothing.
 */
export class Grants {
  private readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** What is allowed now, one for each account: amounts are hidden if any grant of it hides them. */
  read(): readonly Grant[] {
    const grants = this.files().flatMap((file) => grantNow(file) ?? []);
    return [...Map.groupBy(grants, ({ account }) => account).values()].flatMap((same) => {
      const hidden = same.find(({ amounts }) => amounts === 'hidden');
      return hidden ?? same[0] ?? [];
    });
  }

  /** `window` names the window that asked. What lasts while it is open takes the place of what lasted always. */
  put(grant: Grant, window: string): void {
    fs.mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    const fileOf = (owner: string): string =>
      path.join(this.folder, `${keyOf(grant.account)}.${owner}.json`);
    const owner = grant.lasts === 'always' ? 'always' : window;
    replace(fileOf(owner), grant, new Date());
    if (owner !== 'always') fs.rmSync(fileOf('always'), { force: true });
  }

  /** Writes each grant as it is now, also of a silent window; undefined ends it. It keeps no window alive. */
  renew(now: (grant: Grant) => Grant | undefined): void {
    for (const file of this.files()) {
      const aliveAt = ifThere(() => fs.statSync(file).mtime);
      const grant = storedGrant(file);
      if (!aliveAt || !grant) continue;
      const renewed = now(grant);
      if (!renewed) fs.rmSync(file, { force: true });
      else if (JSON.stringify(renewed) !== JSON.stringify(grant) && fs.existsSync(file))
        replace(file, renewed, aliveAt);
    }
  }

  /** What was revoked stays so: no file is created. */
  keepAlive(window: string): void {
    const now = new Date();
    for (const file of this.files(window)) ifThere(() => fs.utimesSync(file, now, now));
  }

  /** The log of all questions. */
  get logFile(): string {
    return path.join(this.folder, 'agents.log');
  }

  /** A question in the log, without a figure. It is no reason not to answer. */
  note(tool: string, given: unknown, outcome: string): void {
    const { logFile } = this;
    ifThere(() => {
      const bytes = fs.statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
      if (bytes > mostLogBytes) fs.renameSync(logFile, `${logFile}.old`);
      // What is nested too deep is no JSON.
      const asked = ifThere(() => cleanText(JSON.stringify(given ?? {}), 300)) ?? '…';
      const line = `${new Date().toISOString()} ${tool} ${asked} → ${outcome}\n`;
      fs.appendFileSync(logFile, line, { mode: 0o600 });
    });
  }

  /** All of them, or those of a window that closes. */
  revoke(window = ''): void {
    for (const file of this.files(window)) fs.rmSync(file, { force: true });
  }

  private files(window = ''): readonly string[] {
    const names = ifThere(() => fs.readdirSync(this.folder)) ?? [];
    const wanted = names.filter((name) => name.endsWith('.json') && name.includes(window));
    return wanted.map((name) => path.join(this.folder, name));
  }
}

function storedGrant(file: string): Grant | undefined {
  return ifThere(() => v.parse(grantSchema, JSON.parse(fs.readFileSync(file, 'utf8'))));
}

function grantNow(file: string): Grant | undefined {
  return ifThere(() => {
    const grant = storedGrant(file);
    const isOpen = Math.abs(Date.now() - fs.statSync(file).mtimeMs) < silentMs;
    return grant?.lasts === 'always' || isOpen ? grant : undefined;
  });
}

/** Who reads the file meanwhile reads all of one of the two. */
function replace(file: string, grant: Grant, aliveAt: Date): void {
  const unfinished = `${file}.${process.pid}`;
  fs.writeFileSync(unfinished, JSON.stringify(grant), { mode: 0o600 });
  fs.utimesSync(unfinished, aliveAt, aliveAt);
  fs.renameSync(unfinished, file);
}

/** Any name, as a part of a file's name. */
function keyOf(account: string): string {
  return createHash('sha256').update(account).digest('hex').slice(0, 32);
}

/** Another window may remove a file at any moment, or the disk is full; a file that is damaged counts as gone. */
function ifThere<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
