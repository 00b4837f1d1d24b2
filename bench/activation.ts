import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { projectRoot } from '../test/support/project.ts';
import { installVsix } from '../test/support/vscodeServer.ts';
import { packagedVsix } from '../test/support/vsix.ts';
import { median, type Figure } from './figures.ts';
import { measuredInHost } from './inHost.ts';
import { sizes } from './sizes.ts';

type Times = { readonly helloMs: number; readonly marginDeskMs: number };

/**
 * What it costs a window that Margin Desk is installed: loading and activating the package, beside an
 * extension of one command, both in the same extension host, in several fresh ones.
 */
export async function activationFigures(): Promise<Figure[]> {
  const runs: Times[] = [];
  for (let host = 0; host < sizes.hosts; host += 1) runs.push(await oneHost(host % 2 === 1));
  const least = (times: readonly number[]): number => Math.min(...times);
  return [
    {
      name: `activation of the package, fastest of ${runs.length} hosts`,
      unit: 'ms',
      value: least(runs.map((run) => run.marginDeskMs)),
      peers: { 'a hello-world extension': least(runs.map((run) => run.helloMs)) },
      bar: { timesPeer: 1.3 },
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
  const folder = (await readdir(extensions)).find((name) => name.startsWith('margin-desk.'));
  const file = path.join(extensions, folder ?? '', 'package.json');
  const manifest = JSON.parse(await readFile(file, 'utf8')) as object;
  await writeFile(file, JSON.stringify({ ...manifest, activationEvents: [] }));
}

/**
 * What a refresh that changes nothing costs the extension host: from the answer's text through its
 * records and the store to the end of everything that is drawn from it, with 200 positions and locked orders.
 */
export async function refreshFigures(): Promise<Figure[]> {
  const times = (await measuredInHost('refresh')) as Record<'refresh' | 'parse', number[]>;
  const peers = { '50 times JSON.parse of its answer': median(times.parse) };
  const bar = { timesPeer: 5 };
  const name = 'a refresh with 200 positions that changes nothing';
  return [{ name, unit: 'ms', value: median(times.refresh), peers, bar }];
}
