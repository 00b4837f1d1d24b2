import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { records, type AnyField, type RecordDescription } from '../../../src/api/fields.ts';
import { operations, type Operation } from '../../../src/api/operations.ts';

const root = join(import.meta.dirname, '../../..');
const page = readFileSync(join(root, 'docs/api.md'), 'utf8');

/** The text of each section, by its number. */
const sections = new Map(
  page.split(/^#{2,3} (?=\d)/m).flatMap((text) => {
    const number = /^\d+(?:\.\d+)?/.exec(text)?.[0];
    return number === undefined ? [] : [[number, text] as const];
  }),
);

function sectionOf(number: string): string {
  return sections.get(number) ?? assert.fail(`no section ${number}`);
}

/** As the page says it: a word is text whose values the API names, and a whole number is its own type. */
function typeOf(field: AnyField): string {
  if (field.kind === 'number' && field.isWhole) return 'whole';
  if (field.kind === 'reference') return 'text';
  return field.kind === 'word' && !field.values ? 'text' : field.kind;
}

describe('docs/api.md', () => {
  it('has every section that a comment names', () => {
    const source = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(join(root, 'src', file), 'utf8'))
      .join('\n');
    const named = source.matchAll(
      /(?<!RFC \d+, )\b[Ss]ections? (\d+(?:\.\d+)?)(?:(?:,| and| to) (\d+(?:\.\d+)?))?/g,
    );
    const numbers = [...named].flatMap(([, ...found]) => found.filter((each) => each));
    assert.ok(numbers.length > 40);
    for (const number of numbers) sectionOf(number);
  });

  for (const section of new Set(Object.values(records).map((record) => record.section)))
    it(`names each field of the records of section ${section} with its type, and no other`, () => {
      const own = Object.values<RecordDescription>(records).filter(
        (record) => record.section === section,
      );
      const fields = own.flatMap((record) =>
        Object.entries(record.fields).map(([name, field]) => `${name}: ${typeOf(field)}`),
      );
      const rows = sectionOf(section).matchAll(/^\| `(\w+)` +\| (\w+)/gm);
      const named = [...rows].map(([, name, type]) => `${name}: ${type}`);
      assert.deepEqual([...new Set(named)].toSorted(), [...new Set(fields)].toSorted());
    });

  for (const [name, operation] of Object.entries<Operation>(operations))
    it(`has the request and the parameters of ${name}`, () => {
      const { section, method, path, weight, signed, parameters } = operation;
      const row = `\\| ${section} +\\| \`${name}\` +\\| \`${method} ${path}\` +\\| ${weight} +\\| ${signed ? 'yes' : 'no'} `;
      assert.match(sectionOf('4'), new RegExp(row));
      for (const [parameter, { kind }] of Object.entries(parameters)) {
        const place = kind === 'text' || kind === 'list' ? section : '4';
        assert.ok(sectionOf(place).includes(`\`${parameter}\``), parameter);
      }
    });
});
