import type { Row, RowNode } from './row.ts';

/** Rows as they stand now, and those that must be drawn anew. */
export type RowChange = {
  readonly nodes: readonly RowNode[];
  /** `all` where rows came, went or moved. */
  readonly changed: readonly RowNode[] | 'all';
};

/**
 * Puts new rows in place of the old ones; a record's node is the same object as long as it lives.
 * Two records may have one name; each still gets an id of its own.
 */
export function replaceRows(before: readonly RowNode[], rows: readonly Row[]): RowChange {
  const known = new Map(before.map((node) => [node.id, node]));
  const twins = new Map<string, number>();
  const changed: RowNode[] = [];
  const nodes = rows.map((row): RowNode => {
    const twin = twins.get(row.key) ?? 0;
    twins.set(row.key, twin + 1);
    const id = `${row.key}#${twin}`;
    const node = known.get(id);
    if (!node) return { kind: 'row', id, row };
    if (JSON.stringify(node.row) !== JSON.stringify(row)) changed.push(node);
    node.row = row;
    return node;
  });
  const isSameList =
    nodes.length === before.length && nodes.every((node, index) => node === before[index]);
  return { nodes, changed: isSameList ? changed : 'all' };
}
