import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { make } from './npm.ts';
import { cacheFolder } from './project.ts';
import { script } from './script.ts';
import { findDesktop, openDesktop } from './startDesktop.ts';
import { openServed } from './startServed.ts';
import type { StartSession } from './startSession.ts';

/** What a first window needs: only the practice account is in it, and nobody is asked about the sample folder. */
const settings = {
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'security.workspace.trust.enabled': false,
};

/** `npm start`: VS Code with this extension on the practice exchange, until it is closed or Ctrl-C. */
await script(async () => {
  const folder = path.join(cacheFolder, 'start');
  const session = { folder, workspace: await sampleWorkspace(folder), settings, endings: [] };
  const interruption = interrupted();
  const end = await Promise.race([untilClosed(session), interruption]);
  if (end !== 'interrupted') return end;
  await endAll(session);
  // What is still being built or installed ends with this process.
  process.exit(0);
});

async function untilClosed(session: StartSession): Promise<number> {
  const desktop = findDesktop();
  if (desktop) {
    await make('build');
    if (await openDesktop(desktop, session)) return 0;
  }
  await make('package');
  return openServed(session);
}

/** Comes before anything is started, so that a signal is answered here and nowhere else. */
async function interrupted(): Promise<'interrupted'> {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, () => undefined);
  await Promise.race([...signals.map((signal) => once(process, signal)), orphaned()]);
  return 'interrupted';
}

/** A SIGTERM sent to npm alone ends npm and its shell, and does not reach this process. */
async function orphaned(): Promise<void> {
  const parent = process.ppid;
  while (process.ppid === parent) await setTimeout(500, undefined, { ref: false });
}

async function endAll({ endings }: StartSession): Promise<void> {
  await Promise.all(endings.map((end) => end()));
}

async function sampleWorkspace(folder: string): Promise<string> {
  const workspace = path.join(folder, 'workspace');
  await mkdir(workspace, { recursive: true });
  await writeFile(
    path.join(workspace, 'README.md'),
    '# Practice\n\nThe Margin Desk icon in the activity bar shows an account of the practice exchange.\n',
  );
  return workspace;
}
