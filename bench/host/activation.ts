import assert from 'node:assert/strict';
import { performance } from 'node:perf_hooks';
import * as vscode from 'vscode';

const calmMs = 5;
const calmRounds = 20;
const hello = 'margin-desk.hello-world';
const marginDesk = 'margin-desk.margin-desk';

/**
 * Runs inside a fresh extension host: prints the milliseconds of both activations, as JSON. The one
 * that comes first pays for what both need, so the bench takes turns.
 */
export async function run(): Promise<void> {
  await calm();
  const marginDeskFirst = process.env.BENCH_MARGIN_DESK_FIRST === 'true';
  const times: Record<string, number> = {};
  for (const id of marginDeskFirst ? [marginDesk, hello] : [hello, marginDesk])
    times[id] = await activationMs(id);
  console.log(
    `bench ${JSON.stringify({ helloMs: times[hello], marginDeskMs: times[marginDesk] })}`,
  );
}

/** Waits until the window that just opened answers at once: until then it is the window that is measured. */
async function calm(): Promise<void> {
  for (let calmInARow = 0; calmInARow < calmRounds;) {
    const startedAt = performance.now();
    await vscode.commands.executeCommand('setContext', 'marginDesk.bench', calmInARow);
    calmInARow = performance.now() - startedAt < calmMs ? calmInARow + 1 : 0;
  }
}

async function activationMs(id: string): Promise<number> {
  const extension = vscode.extensions.getExtension(id) ?? assert.fail(`${id} is not installed`);
  assert.equal(extension.isActive, false, `${id} is active already`);
  const startedAt = performance.now();
  await extension.activate();
  return performance.now() - startedAt;
}
