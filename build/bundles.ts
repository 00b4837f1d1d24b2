import type { BuildOptions } from 'esbuild';
import { apart, hostSuite, oneVscode } from './plugins.ts';

/** What runs in Node. */
export const node: BuildOptions = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node22',
  // What node-fetch would put in place of the streams that every Node since 18 has: 120 KB, never run.
  external: ['vscode', 'web-streams-polyfill'],
  // The notices have them all.
  legalComments: 'none',
};
const extension: BuildOptions = {
  ...node,
  plugins: [apart, oneVscode],
  supported: { 'dynamic-import': false },
};
/** Where a module is, in a bundle of CommonJS. */
const place = { 'import.meta.dirname': '__dirname', 'import.meta.filename': '__filename' };

/** The script of a page. The banner has V8 compile it at once: function by function takes a page longer to open. */
export const page: BuildOptions = {
  bundle: true,
  platform: 'browser',
  format: 'iife',
  target: 'chrome138',
  banner: { js: '//# allFunctionsCalledOnLoad' },
  legalComments: 'none',
};

/** The bundles of the package. */
export const bundles: readonly BuildOptions[] = [
  { ...extension, entryPoints: ['src/extension.ts'], outfile: 'dist/extension.cjs' },
  { ...extension, entryPoints: ['src/host/app.ts'], outfile: 'dist/app.cjs', define: place },
  {
    ...node,
    entryPoints: ['src/account/export/columns/columnFile.ts'],
    outfile: 'dist/columnFile.cjs',
  },
  { ...node, entryPoints: ['src/practice/main.ts'], outfile: 'dist/practice.cjs' },
  { ...node, entryPoints: ['src/ledger/ledgerWorker.ts'], outfile: 'dist/ledgerWorker.cjs' },
  {
    ...node,
    entryPoints: ['src/agents/ledgerServer.ts'],
    outfile: 'dist/ledgerServer.cjs',
    // The protocol's library then has a validator that makes no code of schemas.
    conditions: ['workerd'],
  },
  { ...page, entryPoints: ['src/pages/table/tablePage.ts'], outfile: 'dist/pages/table.js' },
  { ...page, entryPoints: ['src/pages/document/page.ts'], outfile: 'dist/pages/document.js' },
];

/** The host tests, which run in the extension host. */
export const hostTests: BuildOptions = {
  ...node,
  entryPoints: ['test/host/index.ts'],
  outfile: 'dist/test/host.cjs',
  plugins: [hostSuite('test/host')],
  // `dist/test` is as deep as `test/support`, where the root of the project is looked up.
  define: place,
  // Mocha looks up files for parallel runs, which a bundle has none of and needs none of.
  logOverride: { 'require-resolve-not-external': 'silent' },
};
