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
    const rows = [...page.matchAll(/^\| \d+ +\| `(\w+)` +\| `([\w/]+\.ts)`/gm)];
    assert.ok(rows.length > 20);
    for (const [, name = '', file = ''] of rows)
      assert.match(
        readFileSync(join(root, 'src', file), 'utf8'),
        new RegExp(`(?:function\\*? |readonly |async |^ {2})${name}\\b\\s*(?:[<(=]|: )`, 'm'),
        `${name} in ${file}`,
      );
  });

  it('names every room', () => {
    for (const room of files.filter((file) => !/[./]/.test(file)))
      assert.match(page, new RegExp(`^\\| \`${room}\``, 'm'));
  });
});
