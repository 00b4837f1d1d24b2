import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { choiceVariable } from './hostTestChoice.ts';
import { projectRoot } from './project.ts';
import { PlainFailure, script } from './script.ts';
import { runServedSuite } from './servedHostSuite.ts';
import { floor } from './vscodeInstall.ts';

const deadlineMs = 10 * 60_000;

/**
 * What an older VS Code could break: activation, every part of the API that the extension calls, and
 * the paths that must never fail. The rest of the suite proves the extension's own rules, which do not
 * depend on the release of VS Code: `--floor --all` runs it there too.
 */
const floorTests = [
  'activation',
  'practice',
  'panels',
  'cancelAll',
  'exportTable',
  'profilesCredentials',
  'statusLinks',
];

/**
 * `npm run test:host`: the built host suite in the extension host of a served VS Code; with names such
 * as `alerts`, only these tests; with `--part 1/2`, the first half. `npm run test:floor`, `--floor`: in
 * the lowest VS Code that the extension supports.
 */
await script(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      floor: { type: 'boolean', default: false },
      all: { type: 'boolean', default: false },
      part: { type: 'string' },
    },
  });
  const isSmall = values.floor && !values.all;
  const usual = isSmall ? floorTests : await partOfTests(values.part ?? '1/1');
  const names = positionals.length > 0 ? positionals : usual;
  return runServedSuite({
    extension: projectRoot,
    suite: path.join(projectRoot, 'dist/test/host.cjs'),
    deadlineMs,
    env: { [choiceVariable]: names.join(',') },
    print: (text) => console.log(text),
    ...(values.floor ? { release: floor } : {}),
  });
});

/** The names of the tests of a part such as `1/2`: all parts take about the same time. */
async function partOfTests(text: string): Promise<string[]> {
  const [part = 0, count = 0] = text.split('/').map(Number);
  if (!(part >= 1 && part <= count)) throw new PlainFailure(`There is no part ${text}.`);
  const parts = Array.from({ length: count }, () => ({ names: [] as string[], bytes: 0 }));
  for (const { name, bytes } of await testsBySize()) {
    const smallest = parts.reduce((least, next) => (next.bytes < least.bytes ? next : least));
    smallest.names.push(name);
    smallest.bytes += bytes;
  }
  return parts[part - 1]?.names.sort() ?? [];
}

async function testsBySize(): Promise<{ name: string; bytes: number }[]> {
  const folder = path.join(projectRoot, 'test/host');
  const ending = '.test.ts';
  const files = (await readdir(folder)).filter((file) => file.endsWith(ending));
  const tests = files.map(async (file) => {
    const { size } = await stat(path.join(folder, file));
    return { name: file.slice(0, -ending.length), bytes: size };
  });
  return (await Promise.all(tests)).sort((one, other) => other.bytes - one.bytes);
}
