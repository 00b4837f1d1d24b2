import { readdir } from 'node:fs/promises';
import path from 'node:path';

const ending = '.test.ts';

/**
 * For esbuild: `import { hostTests } from 'host-suite'` gives every `*.test.ts` in `folder` by its name,
 * found at each build, so that nobody keeps a list of tests.
 */
export function hostSuite(folder) {
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
