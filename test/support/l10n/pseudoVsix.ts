import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runToEnd } from '../childProcess.ts';
import { cleanEnvironment } from '../npm.ts';
import { projectRoot } from '../project.ts';
import { bundleOf, bundleText, manifestWords, sourcesOf } from './extract.ts';
import { pseudoBundle } from './pseudo.ts';

/** The language that VS Code itself uses for such tests. */
export const pseudoLocale = 'qps-ploc';

const parts = [
  ...['package.json', 'package.nls.json', 'README.md', 'CHANGELOG.md', 'LICENSE', '.vscodeignore'],
  ...['dist', 'media'],
];

/**
 * Packages a copy of this checkout in `folder` with texts for the pseudo-locale, from what is built
 * already; gives its file.
 */
export async function pseudoVsix(folder: string): Promise<string> {
  for (const part of parts)
    await cp(path.join(projectRoot, part), path.join(folder, part), { recursive: true });
  const write = (name: string, texts: Readonly<Record<string, string>>): Promise<void> =>
    writeFile(path.join(folder, name), bundleText(texts));
  await mkdir(path.join(folder, 'l10n'));
  const bundle = bundleOf(sourcesOf('base', 'exchange', 'account', 'protocol', 'host'));
  await write(`l10n/bundle.l10n.${pseudoLocale}.json`, pseudoBundle(bundle));
  await write(`package.nls.${pseudoLocale}.json`, pseudoBundle(manifestWords()));
  await withoutScripts(path.join(folder, 'package.json'));
  const vsix = path.join(folder, 'pseudo.vsix');
  const vsce = path.join(projectRoot, 'node_modules/@vscode/vsce/vsce');
  const flags = ['--no-dependencies', '--allow-missing-repository', '--no-rewrite-relative-links'];
  const { code, output } = await runToEnd(
    process.execPath,
    [vsce, 'package', ...flags, '--out', vsix],
    { cwd: folder, env: cleanEnvironment() },
  );
  if (code !== 0) throw new Error(`The pseudo-locale was not packaged:\n${output}`);
  return vsix;
}

/** It is built already. */
async function withoutScripts(file: string): Promise<void> {
  const manifest = JSON.parse(await readFile(file, 'utf8')) as object;
  await writeFile(file, JSON.stringify({ ...manifest, scripts: {} }));
}
