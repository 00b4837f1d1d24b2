import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { mutants } from '../support/mutants/mutants.ts';
import { promises } from '../support/mutants/promises.ts';
import { projectRoot } from '../support/project.ts';

describe('the faults that the soak puts into the sources', () => {
  it('have one place each, and a test', () => {
    const misplaced = mutants.filter(({ file, from, to, killedBy }) => {
      const text = readFileSync(path.join(projectRoot, 'src', file), 'utf8');
      const isFound = from !== to && text.split(from).length === 2;
      return !isFound || !existsSync(path.join(projectRoot, 'test', killedBy));
    });
    assert.deepEqual(misplaced, []);
  });

  it('are different ones', () => {
    const places = mutants.map(({ file, from, to }) => JSON.stringify([file, from, to]));
    assert.equal(new Set(places).size, mutants.length);
  });
});

describe('the promises of README', () => {
  const [, section = ''] = read('README.md').split('## What it promises');
  /** The sentences of each promise, by its name. */
  const promised = new Map(
    [...section.matchAll(/^- \*\*(.+?):\*\* (.+?) \[More\]/gm)].map(
      ([, name = '', text = '']) => [name, text.split(/(?<=\.) /)] as const,
    ),
  );
  const proving = (name: string): readonly string[] =>
    promises
      .filter(({ promise }) => promised.get(name)?.includes(promise))
      .map(({ mutant }) => mutant.killedBy);

  it('have a fault for each sentence, and no other', () => {
    const sentences = [...promised.values()].flat();
    assert.ok(sentences.length > 15);
    assert.deepEqual(new Set(promises.map(({ promise }) => promise)), new Set(sentences));
  });

  it('have in CONTRIBUTING the tests that fail when they break', () => {
    const [, table = ''] = read('CONTRIBUTING.md').split('## Promises');
    for (const name of promised.keys()) {
      const row = new RegExp(`^\\| ${name} +\\|.*$`, 'm').exec(table)?.[0] ?? '';
      const named = [...row.matchAll(/`([^`]+)`/g)].map(([, file]) => file);
      assert.deepEqual(new Set(named), new Set(proving(name)), name);
    }
  });
});

function read(file: string): string {
  return readFileSync(path.join(projectRoot, file), 'utf8');
}
