import {
  shownRows,
  type OpenState,
  type PageState,
  type RequestKind,
  type TableBody,
} from './pageState.ts';

/**
 * The next state and its request. A new request aborts the one that runs, `abort` only aborts it, and
 * null lets it run.
 */
export type Transition = {
  readonly state: PageState;
  readonly request: RequestKind | 'abort' | null;
};

export function withoutRequest(state: PageState): Transition {
  return { state, request: null };
}

/** Requests the rows of the state's query, but first the description if that is still missing. */
export function requestRows(state: OpenState): Transition {
  const { body } = state;
  const lacksDescription =
    (body.kind === 'loading' || body.kind === 'failed') && body.request === 'open';
  const request = lacksDescription ? 'open' : 'page';
  const loading: TableBody = { kind: 'loading', request, previous: shownRows(body) };
  return {
    state: { ...state, body: loading, fieldErrors: {}, actionError: '', announcement: '' },
    request,
  };
}

/** Removes the rows at once: they may belong to another account or to other filters. */
export function requestDescription(state: OpenState): Transition {
  const body: TableBody = { kind: 'loading', request: 'open', previous: null };
  return { state: { ...state, body, actionError: '', announcement: '' }, request: 'open' };
}
