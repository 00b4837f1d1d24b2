import { readdir } from 'node:fs/promises';
import path from 'node:path';

/**
 * For esbuild: `import 'host-suite'` stands for every `*.test.ts` in `folder`, found at each build, so
 * that nobody keeps a list of tests.
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
        const names = (await readdir(folder)).filter((name) => name.endsWith('.test.ts')).sort();
        const contents = names.map((name) => `import './${name}';`).join('\n');
        return { contents, resolveDir: path.resolve(folder), watchDirs: [path.resolve(folder)] };
      });
    },
  };
}
