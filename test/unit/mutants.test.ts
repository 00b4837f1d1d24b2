import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { mutants } from '../support/mutants/mutants.ts';
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
