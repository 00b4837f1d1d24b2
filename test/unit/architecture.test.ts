import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).map((file) =>
  file.replaceAll('\\', '/'),
);

describe('the architecture page', () => {
  it('names only files and folders that exist', () => {
    const named = [...page.matchAll(/`((?:[a-z]\w*\/)+\w+(?:\.ts)?|\w+\.ts)`/g)].map(
      ([, name]) => name,
    );
    assert.ok(named.length > 20);
    const missing = named.filter((name) => !files.includes(name ?? ''));
    assert.deepEqual(missing, []);
  });

  it('names functions that its files declare', () => {
    const steps = [...page.matchAll(/`(\w+)` in `([\w/]+\.ts)`/g)];
    assert.ok(steps.length > 20);
    for (const [, name = '', file = ''] of steps)
      assert.match(
        readFileSync(join(root, 'src', file), 'utf8'),
        new RegExp(`(?:function\\*? |readonly |async |^ {2})${name}\\b\\s*(?:[<(=]|: )`, 'm'),
        `${name} in ${file}`,
      );
  });

  it('names every layer', () => {
    for (const layer of files.filter((file) => !/[./]/.test(file)))
      assert.match(page, new RegExp(`^- \`${layer}\`:`, 'm'));
  });

  it('has at most 14 terms of ours', () => {
    const [, terms = ''] = page.split('## Terms that are ours');
    assert.ok([...terms.matchAll(/^- \*\*/gm)].length <= 14);
  });
});

describe('the page of proofs', () => {
  const proofs = readFileSync(join(root, 'docs/proofs.md'), 'utf8');

  it('names only files and rules that exist', () => {
    const named = [...proofs.matchAll(/`([\w/]+\.ts|[a-z]\w+(?:\/\w+)+)`/g)].map(
      ([, name = '']) => name,
    );
    assert.ok(named.length > 5);
    const missing = named.filter((name) => !files.some((file) => `/${file}`.endsWith(`/${name}`)));
    assert.deepEqual(missing, []);
    const rules = ['rules', 'rangeEnds']
      .map((name) => readFileSync(join(root, `src/exchange/history/walk/${name}.ts`), 'utf8'))
      .join('\n');
    const [, walks = ''] = /## Walks\n([^]*?)\n## /.exec(proofs) ?? [];
    for (const [, list = ''] of walks.matchAll(/^\d\. \*\*.+?\*\* \((.+?)\)/gm))
      for (const [, rule] of list.matchAll(/`(\w+)`/g))
        assert.match(rules, new RegExp(`function ${rule}\\b`), rule);
  });
});
