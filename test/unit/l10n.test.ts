import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import {
  bundleFile,
  bundleOf,
  bundleText,
  isTranslation,
  nodesOf,
  placeOf,
  sourcesOf,
  type Source,
} from '../support/l10n/extract.ts';
import { projectRoot } from '../support/project.ts';

const worded = sourcesOf('base', 'exchange', 'account', 'protocol', 'host');

describe('every text for a person', () => {
  it('is in the bundle that translators get: run `npm run l10n` if it is not', () => {
    assert.equal(readFileSync(bundleFile, 'utf8'), bundleText(bundleOf(worded)));
  });

  it('numbers its placeholders from 0 without a gap', () => {
    for (const text of Object.keys(bundleOf(worded))) {
      const places = [...text.matchAll(/\{([^}]*)\}/g)].map(([, place = '']) => place);
      const wanted = [...new Set(places)].sort().map((_place, index) => String(index));
      assert.deepEqual([...new Set(places)].sort(), wanted, text);
    }
  });

  it('goes through l10n.t or phrase: no other literal has words', () => {
    const found = worded.flatMap((source) => wordsBesides(source));
    assert.deepEqual(found, []);
  });

  it('of another layer is said in the language of VS Code: the host never asks for it in English', () => {
    for (const { name, file } of sourcesOf('host'))
      assert.ok(!file.text.includes('inEnglish'), name);
  });

  it('reaches pages from the host: their templates contain none', () => {
    const found = sourcesOf('pages', 'protocol').flatMap((source) => [
      ...wordsBesides(source),
      ...textsOfTemplates(source),
    ]);
    assert.deepEqual(found, []);
  });

  it('is found by a look at code that has some', () => {
    const source = (text: string): Source => ({
      name: 'x.ts',
      file: ts.createSourceFile('x.ts', text, ts.ScriptTarget.Latest, true),
    });
    for (const text of [
      `show('No account is open')`,
      'show(`${count} rows read`)',
      `const item = { label: 'Open' }`,
      `window.showErrorMessage('Failed')`,
    ])
      assert.equal(wordsBesides(source(text)).length, 1, text);
    for (const text of ['html`<p>Rows</p>`', 'html`<p aria-label="Rows">${x}</p>`'])
      assert.equal(textsOfTemplates(source(text)).length, 1, text);
    assert.deepEqual(wordsBesides(source(`l10n.t('No account is open')`)), []);
  });

  it('of the manifest is in package.nls.json: commands, views, walkthrough, settings, colours', () => {
    const manifest = JSON.parse(
      readFileSync(join(projectRoot, 'package.json'), 'utf8'),
    ) as Manifest;
    const { languageModelTools, chatSkills: _skills, ...forPeople } = manifest.contributes;
    // The rest of a tool is read by a model.
    const shownOfTools = languageModelTools.map(({ displayName, userDescription }) => {
      return { displayName, userDescription };
    });
    assert.deepEqual(plainWords({ ...forPeople, shownOfTools }), []);
    assert.deepEqual(plainWords(manifest.capabilities), []);
    for (const text of [manifest.displayName, manifest.description]) assert.match(text, keyed);
  });
});

type Manifest = {
  readonly displayName: string;
  readonly description: string;
  readonly contributes: {
    readonly languageModelTools: readonly Readonly<Record<string, unknown>>[];
    readonly chatSkills: unknown;
  };
  readonly capabilities: unknown;
};

/** Names and API values that are the same in every language. */
const names: readonly string[] = [
  ...['Margin Desk', 'JSON Lines', 'JSON', 'CSV', 'Practice'],
  ...['FUTURE', 'SPOT', 'https://host/prefix'],
];

/** Fields whose text is shown. */
const shownFields =
  /^(?:label|title|description|detail|placeHolder|placeholder|prompt|message|tooltip|openLabel|saveLabel|empty|note)$/;

/** Who takes words that are for programmers: the log, errors of our own, patterns, selectors, HTML and its policy. */
const forProgrammers =
  /^(?:.*\blog\??\.(?:info|failure|error)|logRejection|super|Error|DOMException|RegExp|.*\b(?:matches|closest|querySelector)|errorSummary|webviewHtml|keptPart)$/;

/** Literals that read as words, or stand where words are shown, and go through no translation. */
function wordsBesides({ name, file }: Source): readonly string[] {
  return nodesOf(file)
    .filter((node) => isText(node) && readsAsWords(node) && !isExcused(node))
    .map((node) => `${placeOf(node, name)} ${node.getText().slice(0, 80)}`);
}

function isText(node: ts.Node): node is ts.StringLiteralLike | ts.TemplateExpression {
  if (!ts.isStringLiteralLike(node) && !ts.isTemplateExpression(node)) return false;
  const { parent } = node;
  const isMarkup = ts.isTaggedTemplateExpression(parent);
  return !isMarkup && !ts.isImportDeclaration(parent) && !ts.isLiteralTypeNode(parent);
}

function readsAsWords(node: ts.StringLiteralLike | ts.TemplateExpression): boolean {
  const text = ts.isStringLiteralLike(node) ? node.text : literalParts(node).join('{}');
  if (names.includes(text)) return false;
  if (/\p{L}{2,}[,:;]? \p{L}{2,}|\{\} \p{L}{2,} ?\p{L}|\p{L}{2,}\.$/u.test(text)) return true;
  return /\p{L}{2,}/u.test(text) && isShown(node);
}

function literalParts(node: ts.TemplateExpression): readonly string[] {
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)];
}

function isShown(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isPropertyAssignment(parent))
    return parent.initializer === node && shownFields.test(parent.name.getText());
  return ts.isCallExpression(parent) && /\bshow\w+Message$/.test(parent.expression.getText());
}

function isExcused(node: ts.Node): boolean {
  for (let at = node.parent; !ts.isSourceFile(at); at = at.parent) {
    if (isTranslation(at)) return true;
    if (ts.isFunctionDeclaration(at) && forProgrammers.test(at.name?.text ?? '')) return true;
    if (ts.isCallExpression(at) || ts.isNewExpression(at))
      if (forProgrammers.test(at.expression.getText())) return true;
  }
  return false;
}

/** What stands between the tags of a template, and in attributes that are read out. */
function textsOfTemplates({ name, file }: Source): readonly string[] {
  return nodesOf(file).flatMap((node) => {
    if (!ts.isTaggedTemplateExpression(node) || node.tag.getText() !== 'html') return [];
    const { template } = node;
    const html = ts.isTemplateExpression(template)
      ? literalParts(template).join('{}')
      : template.text;
    const read = [...html.matchAll(/\s(?:aria-label|title|label|placeholder|alt)="([^"]*)"/g)];
    const texts = [html.replace(/<[^>]*>/g, ' '), ...read.map(([, text = '']) => text)];
    return texts.filter((text) => /\p{L}{2,}/u.test(text)).map(() => placeOf(node, name));
  });
}

/** A text of the manifest that VS Code takes from `package.nls.json`. */
const keyed = /^%[^%]+%$/;

/** Fields of the manifest whose texts are for VS Code: all others are for people. */
const forVscode =
  /^(?:id|command|view|when|group|key|mac|icon|svg|scope|type|enum|default|required|pattern|completionEvents|supported)$/;

/** Objects of the manifest whose texts are values, by names of any kind. */
const valuesByName = /^(?:default|defaults)$/;

/** Texts for people in the manifest that are no `%key%`. */
function plainWords(value: unknown, key = ''): readonly string[] {
  if (typeof value === 'string') return forVscode.test(key) || keyed.test(value) ? [] : [value];
  if (typeof value !== 'object' || value === null || valuesByName.test(key)) return [];
  return Object.entries(value).flatMap(([inner, child]) =>
    plainWords(child, Array.isArray(value) ? key : inner),
  );
}
