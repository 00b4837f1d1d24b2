import { registerHooks } from 'node:module';

/** What a table definition uses of VS Code, outside VS Code: words as they are written. */
const standIn = `export const l10n = {
  t: (text, ...values) => text.replace(/{(\\d+)}/g, (_, index) => String(values[index] ?? _)),
};`;

/** From here on, modules that are imported get a stand-in for `vscode`. */
export function standInForVscode(): void {
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'vscode'
        ? { url: `data:text/javascript,${encodeURIComponent(standIn)}`, shortCircuit: true }
        : next(specifier, context),
  });
}
