import path from 'node:path';
import { projectRoot } from './project.ts';
import { script } from './script.ts';
import { runServedSuite } from './servedHostSuite.ts';

const deadlineMs = 5 * 60_000;

/** `npm run test:host`: the built host suite in the extension host of a served VS Code. */
await script(() =>
  runServedSuite({
    extension: projectRoot,
    suite: path.join(projectRoot, 'dist/test/host.cjs'),
    deadlineMs,
    print: (text) => console.log(text),
  }),
);
