import { context, build } from 'esbuild';
import { basename } from 'node:path';
import { oneVscode } from './oneVscode.mjs';
import { hostSuite } from './test/support/hostSuitePlugin.mjs';

/**
 * What is imported when it is needed, as a bundle of its own: the app behind the extension's bootstrap, and
 * the writers of exports with columns. It is required, not imported: only then does VS Code give it its API.
 */
const apart = {
  name: 'apart',
  setup({ onResolve }) {
    onResolve({ filter: /\/(?:app|columnFile)\.ts$/ }, ({ kind, path }) =>
      kind === 'dynamic-import'
        ? { path: `./${basename(path, '.ts')}.cjs`, external: true }
        : undefined,
    );
  },
};

/** What is built: the extension, its app, its writers of columns, the practice exchange, the ledger and the reader of large exchange information that it starts as workers, each page, and the host suite. */
const node = {
  platform: 'node',
  format: 'cjs',
  target: 'node22',
  // What node-fetch would put in place of the streams that every Node since 18 has: 120 KB, never run.
  external: ['vscode', 'web-streams-polyfill'],
};
/** Where a module is, in a bundle of CommonJS. */
const place = { 'import.meta.dirname': '__dirname', 'import.meta.filename': '__filename' };
// The banner has V8 compile a script at once: function by function takes a page longer to open.
const page = {
  platform: 'browser',
  format: 'iife',
  target: 'chrome138',
  banner: { js: '//# allFunctionsCalledOnLoad' },
};
const bundles = [
  {
    ...node,
    entryPoints: ['src/extension.ts'],
    outfile: 'dist/extension.cjs',
    plugins: [apart, oneVscode],
    supported: { 'dynamic-import': false },
  },
  {
    ...node,
    entryPoints: ['src/host/app.ts'],
    outfile: 'dist/app.cjs',
    plugins: [apart, oneVscode],
    supported: { 'dynamic-import': false },
    define: place,
  },
  {
    ...node,
    entryPoints: ['src/account/export/columns/columnFile.ts'],
    outfile: 'dist/columnFile.cjs',
  },
  { ...node, entryPoints: ['src/practice/main.ts'], outfile: 'dist/practice.cjs' },
  { ...node, entryPoints: ['src/ledger/ledgerWorker.ts'], outfile: 'dist/ledgerWorker.cjs' },
  { ...page, entryPoints: ['src/pages/table/tablePage.ts'], outfile: 'dist/pages/table.js' },
  { ...page, entryPoints: ['src/pages/document/page.ts'], outfile: 'dist/pages/document.js' },
  {
    ...node,
    entryPoints: ['test/host/index.ts'],
    outfile: 'dist/test/host.cjs',
    plugins: [hostSuite('test/host')],
    // `dist/test` is as deep as `test/support`, where the root of the project is looked up.
    define: place,
    // Mocha looks up files for parallel runs, which a bundle has none of and needs none of.
    logOverride: { 'require-resolve-not-external': 'silent' },
  },
];

const release = process.argv.includes('--release');
const shared = { bundle: true, logLevel: 'warning', minify: release, sourcemap: !release };

if (process.argv.includes('--watch')) {
  for (const bundle of bundles) await (await context({ ...shared, ...bundle })).watch();
} else {
  await Promise.all(bundles.map((bundle) => build({ ...shared, ...bundle })));
}
