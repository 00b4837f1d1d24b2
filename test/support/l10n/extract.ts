import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { projectRoot } from '../project.ts';

/** Where the extracted texts are kept: VS Code looks for `bundle.l10n.<language>.json` beside it. */
export const bundleFile = path.join(projectRoot, 'l10n/bundle.l10n.json');

/** A source file of the extension, parsed. */
export type Source = { readonly name: string; readonly file: ts.SourceFile };

/** Every source file of these rooms, such as `host`. */
export function sourcesOf(...rooms: readonly string[]): readonly Source[] {
  return rooms.flatMap((room) => {
    const folder = path.join(projectRoot, 'src', room);
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    return files.filter((file) => file.endsWith('.ts')).map((file) => parse(room, folder, file));
  });
}

function parse(room: string, folder: string, file: string): Source {
  const text = readFileSync(path.join(folder, file), 'utf8');
  const name = `${room}/${file.replaceAll('\\', '/')}`;
  return { name, file: ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true) };
}

/** What VS Code translates, in the order of the texts: `{ "Open {0}": "Open {0}", … }`. */
export function bundleOf(sources: readonly Source[]): Readonly<Record<string, string>> {
  const texts = sources.flatMap(({ name, file }) => {
    const calls = nodesOf(file).filter(isTranslation);
    return calls.flatMap((call) => textOf(call, name));
  });
  return Object.fromEntries([...new Set(texts)].sort().map((text) => [text, text]));
}

/** A bundle as its file has it. */
export function bundleText(bundle: Readonly<Record<string, string>>): string {
  return `${JSON.stringify(bundle, null, 2)}\n`;
}

/** `l10n.t(…)`, `vscode.l10n.t(…)`, `t(…)` if that is l10n's, and `phrase(…)`, which the host translates. */
export function isTranslation(node: ts.Node): node is ts.CallExpression {
  if (!ts.isCallExpression(node)) return false;
  return /^(?:(?:vscode\.)?l10n\.t|t|phrase)$/.test(node.expression.getText());
}

/** A node and all below it. */
export function nodesOf(node: ts.Node): readonly ts.Node[] {
  const below: ts.Node[] = [];
  ts.forEachChild(node, (child) => void below.push(...nodesOf(child)));
  return [node, ...below];
}

/** Only a whole literal can be found in a bundle: one that is put together cannot. A phrase and `t` have it from their callers. */
function textOf(call: ts.CallExpression, name: string): readonly string[] {
  const [text] = call.arguments;
  if (text && ts.isStringLiteralLike(text)) return [text.text];
  if (text && ['phrase.text', 'text'].includes(text.getText())) return [];
  throw new Error(`${placeOf(call, name)}: a translated text must be one literal`);
}

/** `host/shared/log.ts:12`. */
export function placeOf(node: ts.Node, name: string): string {
  const { line } = node.getSourceFile().getLineAndCharacterOfPosition(node.getStart());
  return `${name}:${line + 1}`;
}
