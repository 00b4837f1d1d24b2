import path from 'node:path';
import { parseArgs } from 'node:util';
import { runDesktopSuite } from './desktopHostSuite.ts';
import { choiceVariable } from './hostTestChoice.ts';
import { projectRoot } from './project.ts';
import { script } from './script.ts';
import { runServedSuite } from './servedHostSuite.ts';
import { floor } from './vscodeInstall.ts';

const suite = path.join(projectRoot, 'dist/test/host.cjs');

/**
 * What an older VS Code could break: activation, every part of the API that the extension calls, and
 * the paths that must never fail. The rest of the suite proves the extension's own rules, which do not
 * depend on the release of VS Code.
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
 * The built host suite, or only the tests with these names, in the extension host of a served VS Code; with
 * `--floor` in the oldest supported one, with `--desktop` in desktop VS Code.
 */
await script(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      floor: { type: 'boolean', default: false },
      desktop: { type: 'boolean', default: false },
    },
  });
  const names = positionals.length > 0 || !values.floor ? positionals : floorTests;
  const env = { [choiceVariable]: names.join(',') };
  if (values.desktop) return runDesktopSuite(suite, env);
  return runServedSuite({
    extension: projectRoot,
    suite,
    deadlineMs: 10 * 60_000,
    onlyThemes: true,
    env,
    print: (text) => console.log(text),
    ...(values.floor ? { release: floor } : {}),
  });
});
