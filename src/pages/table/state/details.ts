import { activeRow, type Grid, type GridDetails } from '../../grid/model.ts';
import type { DetailsAction, DetailsOwner, DetailsState, OpenState } from './pageState.ts';
import { gridOf } from './shownRows.ts';

export function reduceDetails(state: OpenState, action: DetailsAction): OpenState {
  const { details } = state;
  if (action.kind === 'detailsRequested') {
    const { row, display } = action;
    const earlier = details?.display === display ? fieldsOf(details) : undefined;
    const answer = { kind: 'loading', earlier } as const;
    return { ...state, actionError: '', details: { row, display, answer } };
  }
  if (!details || !areSame(details, action)) return state;
  return { ...state, details: { ...details, answer: action.answer } };
}

/** The fields that were received last, of this row or of the one before it. */
function fieldsOf({ answer }: DetailsState): GridDetails | undefined {
  if (answer.kind === 'loaded') return answer.value;
  return answer.kind === 'loading' ? answer.earlier : undefined;
}

/** Whether both are of the same row, and masked alike. */
export function areSame(one: DetailsOwner | null, { row, display }: DetailsOwner): boolean {
  const isSameRow = one?.row.pageId === row.pageId && one.row.row === row.row;
  return isSameRow && one.display === display;
}

/** The grid with the details of its active row, or until they arrive with those before them. */
export function gridWithDetails(state: OpenState): Grid {
  const grid = gridOf(state);
  const row = activeRow(grid);
  const { details, display } = state;
  if (!row || details?.display !== display) return grid;
  const earlier = { kind: 'loading', earlier: fieldsOf(details) } as const;
  return { ...grid, details: areSame(details, { row, display }) ? details.answer : earlier };
}

/** Those of a record that says what it said before. An answer that is awaited is of the row as it was. */
export function followDetails(before: OpenState, read: OpenState): DetailsState | null {
  const { details } = before;
  if (!details || details.answer.kind === 'loading') return details;
  const [from, to] = [gridOf(before), gridOf(read)];
  const index = details.row.row;
  const row = to.keys().indexOf(from.keys()[index] ?? '');
  const isAwaited = fieldsOf(details)?.more?.answer?.kind === 'loading';
  const isSame = JSON.stringify(to.page.rows[row]) === JSON.stringify(from.page.rows[index]);
  return isAwaited || !isSame ? details : { ...details, row: { pageId: to.page.id, row } };
}
