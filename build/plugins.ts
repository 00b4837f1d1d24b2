import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Plugin } from 'esbuild';

/**
 * What is imported when it is needed, as a bundle of its own: the app behind the extension's bootstrap, and
 * the writers of exports with columns. It is required, not imported: only then does VS Code give it its API.
 */
export const apart: Plugin = {
  name: 'apart',
  setup(build) {
    build.onResolve({ filter: /\/(?:app|columnFile)\.ts$/ }, ({ kind, path: imported }) =>
      kind === 'dynamic-import'
        ? { path: `./${path.basename(imported, '.ts')}.cjs`, external: true }
        : undefined,
    );
  },
};

/**
 * All files share the one `vscode` module. Each import of it would else copy some 350 properties when the extension
 * is loaded, in a tenth of the time that an activation takes.
 */
export const oneVscode: Plugin = {
  name: 'one-vscode',
  setup(build) {
    build.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, async ({ path: file }) => {
      const text = await readFile(file, 'utf8');
      const required = /^import (?:\* as )?(vscode|\{[\w ,]+\}) from 'vscode';$/m;
      return { contents: text.replace(required, "const $1 = require('vscode');"), loader: 'ts' };
    });
  },
};

const ending = '.test.ts';

/**
 * `import { hostTests } from 'host-suite'` gives every test file in `folder` by its name, found at each build, so
 * that nobody keeps a list of tests.
 */
export function hostSuite(folder: string): Plugin {
  return {
    name: 'host-suite',
    setup(build) {
      build.onResolve({ filter: /^host-suite$/ }, () => ({
        path: folder,
        namespace: 'host-suite',
      }));
      build.onLoad({ filter: /.*/, namespace: 'host-suite' }, async () => {
        const files = (await readdir(folder)).filter((file) => file.endsWith(ending)).sort();
        const entries = files.map(
          (file) => `'${file.slice(0, -ending.length)}': () => import('./${file}'),`,
        );
        const contents = `export const hostTests = {\n${entries.join('\n')}\n};`;
        return { contents, resolveDir: path.resolve(folder), watchDirs: [path.resolve(folder)] };
      });
    },
  };
}
