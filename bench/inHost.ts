import path from 'node:path';
import { build } from 'esbuild';
import { node } from '../build/bundles.ts';
import { projectRoot, temporaryFolder } from '../test/support/project.ts';
import { runServedSuite, type HostSuite } from '../test/support/servedHostSuite.ts';

type Run = Partial<Pick<HostSuite, 'extension' | 'env' | 'prepare'>>;

/**
 * Runs `bench/host/<name>.ts` in the extension host of a fresh VS Code, and gives what it printed as
 * `bench <JSON>`. The extension is this checkout as it was last built, unless `run` names another.
 */
export async function measuredInHost(name: string, run: Run = {}): Promise<unknown> {
  const folder = await temporaryFolder();
  const printed: string[] = [];
  const print = (text: string): void => void printed.push(text);
  try {
    const suite = path.join(folder.path, `${name}.cjs`);
    await bundle(path.join(projectRoot, 'bench/host', `${name}.ts`), suite);
    await runServedSuite({ extension: projectRoot, ...run, suite, deadlineMs: 120_000, print });
  } finally {
    await folder.remove();
  }
  const [, json] = /^bench (.*)$/m.exec(printed.join('\n')) ?? [];
  if (json === undefined) throw new Error(`No figures of ${name}:\n${printed.join('\n')}`);
  return JSON.parse(json) as unknown;
}

async function bundle(entry: string, outfile: string): Promise<void> {
  await build({ ...node, entryPoints: [entry], outfile, logLevel: 'warning' });
}
