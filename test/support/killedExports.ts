import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { dayMs } from '../../src/base/time.ts';
import { clientFor } from './exchangeClient.ts';
import { SteppingProcess } from './steppingProcess.ts';
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
  const start = (format: (typeof windows)[number]) => ({
    format,
    window: new SteppingProcess(script, [url, folder, format, format]),
  });
  let running = windows.map(start);
  let killed = 0;
  let finished = 0;
  while (running.length > 0) {
    const isLast = killed >= kills;
    const count = isLast ? Infinity : (lines[killed % 5] ?? 1);
    const first = await Promise.race(
      running.map((each) => each.window.printed(count).then(() => each)),
    );
    const { format, window } = first;
    const others = running.filter((each) => each !== first);
    const hasEnded = window.isOver;
    if (hasEnded) {
      assert.equal(await window.exitCode(), 0);
      finished += 1;
      const written = await readFile(path.join(folder, format));
      assert.ok(whole.get(format)?.equals(written), `${format} after ${killed} kills`);
    } else {
      await setTimeout(delaysMs[killed % 7]);
      await window.kill();
      killed += 1;
    }
    running = hasEnded && isLast ? others : [...others, start(format)];
  }
  assert.ok(finished >= windows.length);
  const named = ['whole', ...windows].flatMap((name) => [name, `${name}.meta.json`]);
  assert.deepEqual((await readdir(folder)).toSorted(), ['kept', ...named].toSorted());
  await exporter.clock.advance(Date.now() + dayMs + 1000 - exporter.clock.now());
  await exporter.ledgers.removeExpired();
  assert.deepEqual(await exporter.kept(), []);
}
