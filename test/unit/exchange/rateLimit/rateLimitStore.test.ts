import assert from 'node:assert/strict';
import { mkdir, readdir, symlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  emptyState,
  type RateLimitState,
} from '../../../../src/exchange/rateLimit/rateLimitState.ts';
import {
  rateLimitFileName,
  pruneRateLimitFiles,
} from '../../../../src/exchange/rateLimit/rateLimitStore.ts';
import { folderOfEachTest } from '../../../support/project.ts';

const dayMs = 86_400_000;

describe('old rate-limit files', () => {
  const now = Date.UTC(2026, 0, 20);
  /** The machine has run for ten days. */
  const steadyMs = 10 * dayMs;
  const folder = folderOfEachTest();

  const nameOf = (host: string) => rateLimitFileName(`https://${host}`, { apiKey: 'key' });

  /** A state that was written when the machine had run for so long less than now. */
  const writtenAt = (agoMs: number, fields: Partial<RateLimitState> = {}): string => {
    const at = { wallMs: now - agoMs, steadyMs: steadyMs - agoMs };
    return JSON.stringify({ ...emptyState, writtenAt: at, ...fields });
  };

  async function put(name: string, text: string, ageDays: number): Promise<void> {
    const file = path.join(folder.path, name);
    await writeFile(file, text);
    const at = new Date(now - ageDays * dayMs);
    await utimes(file, at, at);
  }

  it('are removed after a week, with everything that belongs to them', async () => {
    const state = writtenAt(8 * dayMs);
    const [old, locked, used] = ['old', 'locked', 'used'].map(nameOf) as [string, string, string];
    await put(old, state, 8);
    await put(`${old}.lock`, 'of the dead', 9);
    await put(locked, state, 8);
    await put(`${locked}.lock`, 'of the living', 0);
    await put(used, state, 6);
    await put('notes.txt', 'of somebody', 100);
    await mkdir(path.join(folder.path, `${old}.intents`));
    await utimes(path.join(folder.path, `${old}.intents`), 0, 0);
    await pruneRateLimitFiles(folder.path, { wallMs: now, steadyMs });
    const left = [locked, `${locked}.lock`, used, 'notes.txt'];
    assert.deepEqual((await readdir(folder.path)).toSorted(), left.toSorted());
  });

  it('stay while they hold weight in a longer window', async () => {
    const limits = [{ weight: 100, windowMs: 30 * dayMs }];
    const entries = [{ id: 'one', weight: 5, endsAt: now - 10 * dayMs, isForeign: false }];
    const [month, garbled] = ['month', 'garbled'].map(nameOf) as [string, string];
    await put(month, writtenAt(10 * dayMs, { limits, entries }), 10);
    await put(garbled, '[1', 10);
    await pruneRateLimitFiles(folder.path, { wallMs: now, steadyMs });
    assert.deepEqual(await readdir(folder.path), [month]);
  });

  it('stay when only the wall clock was set a week ahead, until the machine starts again', async () => {
    const [used, beforeStart] = ['used', 'beforeStart'].map(nameOf) as [string, string];
    await put(used, writtenAt(1000), 8);
    await put(beforeStart, writtenAt(-1000), 8);
    await pruneRateLimitFiles(folder.path, { wallMs: now, steadyMs });
    assert.deepEqual(await readdir(folder.path), [used]);
  });

  it('may vanish while they are listed, and others are removed', async () => {
    for (const host of ['one', 'two']) await put(nameOf(host), writtenAt(8 * dayMs), 8);
    // A link to a file that does not exist is listed, and cannot be read.
    await symlink(path.join(folder.path, 'none'), path.join(folder.path, nameOf('vanished')));
    await pruneRateLimitFiles(folder.path, { wallMs: now, steadyMs });
    assert.deepEqual(await readdir(folder.path), []);
  });

  it('may have no folder yet', () =>
    pruneRateLimitFiles(path.join(folder.path, 'none'), { wallMs: now, steadyMs }));
});
