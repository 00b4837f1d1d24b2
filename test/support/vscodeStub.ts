import { registerHooks } from 'node:module';

/** What the host uses of VS Code outside of it: each text as it is written. A test gives `workspace` and `env` their members. */
const stub = `export const l10n = {
  t: (text, ...values) => text.replace(/{(\\d+)}/g, (_, index) => String(values[index] ?? _)),
};
export const workspace = {};
export const env = { clipboard: { writeText: () => Promise.resolve() } };`;

/** Loaded before the unit tests: modules of the host run outside VS Code with this in place of `vscode`. */
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'vscode'
      ? { url: `data:text/javascript,${encodeURIComponent(stub)}`, shortCircuit: true }
      : next(specifier, context),
});
