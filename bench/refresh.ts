import path from 'node:path';
import { build } from 'esbuild';
import { projectRoot, temporaryFolder } from '../test/support/project.ts';
import { runServedSuite } from '../test/support/servedHostSuite.ts';
import { median, percentile, type Figure } from './figures.ts';

/**
 * What a refresh that changes nothing costs the extension host: from the store's new snapshot to the
 * end of everything that is drawn from it, with 200 positions and locked orders, in a real VS Code.
 */
export async function refreshFigures(): Promise<Figure[]> {
  const folder = await temporaryFolder();
  try {
    const times = await timesInHost(path.join(folder.path, 'refresh.cjs'));
    const what = 'a refresh with 200 positions that changes nothing';
    return [
      { name: `${what} (bar: 10)`, value: median(times), unit: 'ms' },
      { name: 'and the slowest of a hundred', value: percentile(times, 0.99), unit: 'ms' },
    ];
  } finally {
    await folder.remove();
  }
}

async function timesInHost(suite: string): Promise<readonly number[]> {
  await build({
    entryPoints: [path.join(projectRoot, 'bench/host/refresh.ts')],
    outfile: suite,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    external: ['vscode'],
    logLevel: 'warning',
  });
  const printed: string[] = [];
  const print = (text: string): void => void printed.push(text);
  await runServedSuite({ extension: projectRoot, suite, deadlineMs: 120_000, print });
  const [, json] = /refresh-bench (\[.*\])/.exec(printed.join('\n')) ?? [];
  if (json === undefined)
    throw new Error(`The bench in VS Code gave no figures: ${printed.join()}`);
  return JSON.parse(json) as number[];
}
