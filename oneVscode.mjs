/**
 * For esbuild: all files share one copy of the `vscode` module. Each `import * as vscode` would else
 * make its own when the extension is loaded, some fifty times several hundred properties.
 */
export const oneVscode = {
  name: 'one-vscode',
  setup(build) {
    build.onResolve({ filter: /^vscode$/ }, ({ namespace }) =>
      namespace === 'one-vscode'
        ? { path: 'vscode', external: true }
        : { path: 'vscode', namespace: 'one-vscode' },
    );
    build.onLoad({ filter: /.*/, namespace: 'one-vscode' }, () => ({
      contents: "export * from 'vscode';",
    }));
  },
};
