import fc from 'fast-check';
import assert from 'node:assert/strict';
import { replaceRows, type Row } from '../../../../src/host/trees/treeRow.ts';
import { aPosition } from '../../../support/builders.ts';

function aRow(key: string, description = ''): Row {
  return {
    key,
    label: key,
    description,
    icon: { name: 'blank' },
    spoken: [],
    fields: [],
    hoverHeading: '',
    hoverRows: [],
    contextValue: 'position',
    record: aPosition(),
  };
}

describe('the rows of a view', () => {
  it('are redrawn one by one if they changed, and keep their nodes', () => {
    const { nodes, changed } = replaceRows('row', [], [aRow('a'), aRow('b')]);
    assert.equal(changed, 'all');
    const next = replaceRows('row', nodes, [aRow('a'), aRow('b', 'new')]);
    assert.deepEqual(next.changed, [nodes[1]]);
    const found = next.nodes.map((node, index) => node === nodes[index]);
    assert.deepEqual(found, [true, true]);
    assert.equal(nodes[1]?.row.description, 'new');
    assert.deepEqual(replaceRows('row', next.nodes, [aRow('a'), aRow('b', 'new')]).changed, []);
  });

  it('distinguish rows of the same key by their order', () => {
    const { nodes } = replaceRows('row', [], [aRow('a'), aRow('b'), aRow('a')]);
    assert.equal(nodes.map(({ id }) => id).join(), 'a#0,b#0,a#1');
  });

  it('are all redrawn only if one was added, removed or moved; a record that stays keeps its node', () => {
    const keys = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'));
    fc.assert(
      fc.property(keys, keys, (before, after) => {
        const [old, changed] = [before, after].map((all) => all.map((key) => aRow(key)));
        const { nodes } = replaceRows('row', [], old ?? []);
        const next = replaceRows('row', nodes, changed ?? []);
        assert.equal(next.changed === 'all', before.join() !== after.join());
        for (const node of next.nodes) {
          const kept = nodes.find(({ id }) => id === node.id);
          if (kept) assert.equal(node, kept);
        }
      }),
    );
  });
});
