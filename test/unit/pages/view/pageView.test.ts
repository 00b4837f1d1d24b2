import assert from 'node:assert/strict';
import type { OpenState } from '../../../../src/pages/table/state/pageState.ts';
import { reduce } from '../../../../src/pages/table/state/reducer.ts';
import { openState, pageOf, stateWithRows } from '../builders.ts';

type View = (state: OpenState, now: number, dispatch: () => void) => { readonly values: unknown[] };

/** Imported without its types: they are the browser's, which this room's type check does not know. */
const file = '../../../../src/pages/table/view/pageView.ts' as string;
const { bodyView } = (await import(file)) as { bodyView: View };

describe('the view of a table page', () => {
  it('gives the grid the same values while a user types into a filter', () => {
    const dispatch = (): void => undefined;
    const state = stateWithRows(pageOf(20));
    const typed = reduce(state, { kind: 'filterEdited', parameter: 'symbol', value: 'b' });
    const before = bodyView(state, 0, dispatch).values;
    const after = bodyView(openState(typed), 1, dispatch).values;
    assert.ok(before.length > 5);
    for (const [index, value] of after.entries()) assert.equal(value, before[index]);
  });
});
