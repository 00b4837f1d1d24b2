import assert from 'node:assert/strict';
import { reduce } from '../../../src/pages/table/reduce.ts';
import type { OpenState } from '../../../src/pages/table/state.ts';
import { openState, pageOf, stateWith } from './builders.ts';

type View = (parts: unknown, dispatch: () => void) => { readonly values: readonly unknown[] };

/** Its types are the browser's, which tests outside it do not know. */
const file = '../../../src/pages/table/view/grid.ts' as string;
const { gridView } = (await import(file)) as { gridView: View };

describe('the grid of a page', () => {
  const dispatch = (): void => undefined;
  const drawn = ({ description, display, words, body }: OpenState) => {
    const shown = body.kind === 'rows' ? body.shown : assert.fail(body.kind);
    const parts = { description, display, shown, hiddenWord: words.hidden, isBusy: false };
    return gridView(parts, dispatch).values;
  };

  it('gets nothing new by a letter that is typed into a filter', () => {
    const state = stateWith(pageOf(20));
    const typed = reduce(state, { kind: 'edited', parameter: 'symbol', value: 'b' });
    const [before, after] = [drawn(state), drawn(openState(typed))];
    assert.ok(before.length > 5);
    for (const [index, value] of after.entries()) assert.equal(value, before[index]);
  });
});
