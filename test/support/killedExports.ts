import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { dayMs } from '../../src/base/time.ts';
import { spawnOwned } from './childProcess.ts';
import { clientFor } from './exchangeClient.ts';
import { TestExporter } from './testExporter.ts';

const script = path.join(import.meta.dirname, 'exportWindow.ts');
/** What each window exports: the same rows. */
const windows = ['csv', 'parquet'] as const;
/** Where a window is killed: so many milliseconds after so many lines, a prime number of ways. */
const delaysMs = [0, 1, 3, 7, 15, 31, 63];
const lines = [1, 2, 3, 5, 1];

/**
 * Two windows export the same rows of an exchange, and the one that works is killed again and again; fails if a file is
 * not that of an uninterrupted export, or if something is left after a day.
 */
export async function killExports(url: string, folder: string, kills: number): Promise<void> {
  const exporter = new TestExporter(folder);
  const selection = { operation: 'trades', filters: {} } as const;
  const whole = new Map<string, Buffer>();
  for (const format of windows) {
    const file = await exporter.export(clientFor({ url }), selection, { format, name: 'whole' });
    whole.set(format, await readFile(file));
  }
  const start = (format: (typeof windows)[number]): Window => startWindow(url, folder, format);
  let running = windows.map(start);
  let killed = 0;
  let finished = 0;
  while (running.length > 0) {
    const isLast = killed >= kills;
    const count = isLast ? Infinity : (lines[killed % 5] ?? 1);
    const first = await Promise.race(running.map((each) => each.printed(count)));
    const others = running.filter((each) => each !== first);
    const hasEnded = first.isOver;
    if (hasEnded) {
      assert.equal(await first.exitCode(), 0);
      finished += 1;
      const file = path.join(folder, first.format);
      assert.deepEqual(await readFile(file), whole.get(first.format), `${killed} kills`);
    } else {
      await setTimeout(delaysMs[killed % 7]);
      await first.kill();
      killed += 1;
    }
    running = hasEnded && isLast ? others : [...others, start(first.format)];
  }
  assert.ok(finished >= windows.length);
  const named = ['whole', ...windows].flatMap((name) => [name, `${name}.meta.json`]);
  assert.deepEqual((await readdir(folder)).toSorted(), ['kept', ...named].toSorted());
  await exporter.clock.advance(Date.now() + dayMs + 1000 - exporter.clock.now());
  await exporter.ledgers.removeExpired();
  assert.deepEqual(await exporter.kept(), []);
}

type Window = {
  readonly format: (typeof windows)[number];
  /** Its process has ended. */
  readonly isOver: boolean;
  /** Resolves when it printed so many lines more, or has ended. */
  printed(lines: number): Promise<Window>;
  kill(): Promise<void>;
  exitCode(): Promise<number | null>;
};

function startWindow(url: string, folder: string, format: Window['format']): Window {
  const child: ChildProcess = spawnOwned(process.execPath, [script, url, folder, format, format], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  assert.ok(child.stdout);
  const { stdout } = child;
  const closed = once(child, 'close') as Promise<[number | null]>;
  let isOver = false;
  let printed = 0;
  stdout.on('data', (text: Buffer) => (printed += text.length));
  void closed.then(() => (isOver = true));
  const window: Window = {
    format,
    get isOver() {
      return isOver;
    },
    printed: async (count) => {
      const until = printed + count;
      while (!isOver && printed < until) await Promise.race([once(stdout, 'data'), closed]);
      return window;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await closed;
    },
    exitCode: async () => (await closed)[0],
  };
  return window;
}
