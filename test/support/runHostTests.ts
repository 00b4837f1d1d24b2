import path from 'node:path';
import { parseArgs } from 'node:util';
import { projectRoot } from './project.ts';
import { script } from './script.ts';
import { runServedSuite } from './servedHostSuite.ts';
import { floor } from './vscodeInstall.ts';

const deadlineMs = 5 * 60_000;

/**
 * `npm run test:host`: the built host suite in the extension host of a served VS Code. With
 * `--floor`, `npm run test:floor`: in the lowest VS Code that the extension supports.
 */
await script(() => {
  const { values } = parseArgs({ options: { floor: { type: 'boolean', default: false } } });
  return runServedSuite({
    extension: projectRoot,
    suite: path.join(projectRoot, 'dist/test/host.cjs'),
    deadlineMs,
    print: (text) => console.log(text),
    ...(values.floor ? { release: floor } : {}),
  });
});
