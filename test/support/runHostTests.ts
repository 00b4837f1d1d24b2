import path from 'node:path';
import { parseArgs } from 'node:util';
import { choiceVariable } from './hostTestChoice.ts';
import { projectRoot } from './project.ts';
import { script } from './script.ts';
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
 * as `alerts`, only these tests. `npm run test:floor`, `--floor`: in the lowest VS Code that the extension
 * supports.
 */
await script(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      floor: { type: 'boolean', default: false },
      all: { type: 'boolean', default: false },
    },
  });
  const isSmall = values.floor && !values.all;
  const names = positionals.length > 0 || !isSmall ? positionals : floorTests;
  return runServedSuite({
    extension: projectRoot,
    suite: path.join(projectRoot, 'dist/test/host.cjs'),
    deadlineMs,
    onlyThemes: true,
    env: { [choiceVariable]: names.join(',') },
    print: (text) => console.log(text),
    ...(values.floor ? { release: floor } : {}),
  });
});
