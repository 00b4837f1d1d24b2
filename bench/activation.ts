import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { projectRoot } from '../test/support/project.ts';
import { packagedVsix } from '../test/support/vsix.ts';
import { installVsix } from '../test/support/vscodeServer.ts';
import { median, type Figure } from './figures.ts';
import { measuredInHost } from './inHost.ts';

type Times = { readonly helloMs: number; readonly marginDeskMs: number };

const hosts = 5;

/**
 * What it costs a window that Margin Desk is installed: loading and activating the package, beside an
 * extension of one command, both in the same extension host, in several fresh ones.
 */
export async function activationFigures(): Promise<Figure[]> {
  const runs: Times[] = [];
  for (let host = 0; host < hosts; host += 1) runs.push(await oneHost(host % 2 === 1));
  const helloMs = median(runs.map((run) => run.helloMs));
  const marginDeskMs = median(runs.map((run) => run.marginDeskMs));
  return [
    {
      name: `activation of a hello-world extension, median of ${hosts} hosts`,
      value: helloMs,
      unit: 'ms',
    },
    { name: 'activation of the packaged extension', value: marginDeskMs, unit: 'ms' },
    {
      name: 'and times the hello-world extension',
      value: marginDeskMs / helloMs,
      unit: '×',
      bar: { is: 'at most', value: 2, fails: true },
    },
  ];
}

async function oneHost(marginDeskFirst: boolean): Promise<Times> {
  const extension = path.join(projectRoot, 'bench/host/helloWorld');
  const env = { BENCH_MARGIN_DESK_FIRST: String(marginDeskFirst) };
  const times = await measuredInHost('activation', { extension, env, prepare: installSleeping });
  return times as Times;
}

/** Installs the package without its start-up event: the bench says when it is activated. */
async function installSleeping(dataDir: string): Promise<void> {
  await installVsix(await packagedVsix(), { dataDir });
  const extensions = path.join(dataDir, 'extensions');
  const folder = (await readdir(extensions)).find((name) => name.startsWith('margin-marginDesk.'));
  const file = path.join(extensions, folder ?? '', 'package.json');
  const manifest = JSON.parse(await readFile(file, 'utf8')) as object;
  await writeFile(file, JSON.stringify({ ...manifest, activationEvents: [] }));
}
