import { registerHooks } from 'node:module';

/** What the texts of the host use of VS Code: each text as it is written. A test gives `workspace` its members. */
const stub = `export const l10n = {
  t: (text, ...values) => text.replace(/{(\\d+)}/g, (_, index) => String(values[index] ?? _)),
};
export const workspace = {};`;

/** Loaded before the unit tests: modules of the host run outside VS Code with this in place of `vscode`. */
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'vscode'
      ? { url: `data:text/javascript,${encodeURIComponent(stub)}`, shortCircuit: true }
      : next(specifier, context),
});
