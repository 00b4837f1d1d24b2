import assert from 'node:assert/strict';
import fc from 'fast-check';
import { replaceRows } from '../../../src/host/trees/rowNodes.ts';
import type { Row } from '../../../src/host/trees/row.ts';
import { aPosition } from '../../support/builders.ts';

function aRow(key: string, description = ''): Row {
  return {
    key,
    label: key,
    description,
    icon: { name: 'dash' },
    spoken: [],
    title: '',
    fields: [],
    notes: [],
    contextValue: 'position',
    record: aPosition(),
  };
}

describe('the rows of a view', () => {
  it('are drawn anew one by one where they changed, and keep their nodes', () => {
    const { nodes, changed } = replaceRows([], [aRow('a'), aRow('b')]);
    assert.equal(changed, 'all');
    const next = replaceRows(nodes, [aRow('a'), aRow('b', 'new')]);
    assert.deepEqual(next.changed, [nodes[1]]);
    assert.deepEqual(
      next.nodes.map((node, index) => node === nodes[index]),
      [true, true],
    );
    assert.equal(nodes[1]?.row.description, 'new');
    assert.deepEqual(replaceRows(next.nodes, [aRow('a'), aRow('b', 'new')]).changed, []);
  });

  it('tell twins of one name apart by their order', () => {
    const { nodes } = replaceRows([], [aRow('a'), aRow('b'), aRow('a')]);
    assert.deepEqual(
      nodes.map(({ id }) => id),
      ['a#0', 'b#0', 'a#1'],
    );
  });

  it('are all drawn anew exactly where one came, went or moved; a record that stays keeps its node', () => {
    const keys = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'));
    fc.assert(
      fc.property(keys, keys, (before, after) => {
        const { nodes } = replaceRows(
          [],
          before.map((key) => aRow(key)),
        );
        const next = replaceRows(
          nodes,
          after.map((key) => aRow(key)),
        );
        assert.equal(next.changed === 'all', before.join() !== after.join());
        for (const node of next.nodes) {
          const old = nodes.find(({ id }) => id === node.id);
          if (old) assert.equal(node, old);
        }
      }),
    );
  });
});
