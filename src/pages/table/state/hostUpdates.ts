import { Display, type DisplaySettings } from '../../../base/display.ts';
import type { RpcFailure } from '../../../protocol/messages.ts';
import type { TableContext, TablePage } from '../../../protocol/table.ts';
import { toFormValues, type FormValues } from '../filters/filterForm.ts';
import {
  requestDescription,
  requestRows,
  shownRows,
  withoutRequest,
  type OpenState,
  type Transition,
} from './pageState.ts';
import { firstPageOf } from './pageQuery.ts';

/** Rows of another account, or of another session of the same one, disappear at once. */
export function changeContext(before: OpenState, context: TableContext): Transition {
  const { profile, session } = before.description.context;
  const state: OpenState = { ...before, description: { ...before.description, context } };
  if (profile === context.profile)
    return session === context.session ? withoutRequest(state) : requestDescription(state);
  const query = firstPageOf(state.query, state.query.filters);
  const firstPage: OpenState = { ...state, query, fieldErrors: {} };
  if (context.profile !== null) return requestDescription(firstPage);
  const body = { kind: 'noAccount' } as const;
  return { state: { ...firstPage, body, actionError: '', announcement: '' }, request: 'abort' };
}

/**
 * Replaces the rows by the same rows in the new display settings. Privacy may be on now, so rows that
 * the host did not send again disappear, and figures in error messages are masked.
 */
export function changeDisplay(
  before: OpenState,
  settings: DisplaySettings,
  page: TablePage | null,
): Transition {
  const display = new Display(settings);
  const state: OpenState = {
    ...before,
    display,
    actionError: display.serverText(before.actionError),
    formValues: formValuesInZone(before, display),
  };
  const { body } = before;
  const shown = shownRows(body);
  if (shown && isSortedByHidden(state)) return requestRows(withoutOrder(state));
  const redrawn = shown?.page.id === page?.id && shown && page ? { ...shown, page } : null;
  if (body.kind === 'failed') {
    const failure = maskFailure(body.failure, display);
    return withoutRequest({ ...state, body: { ...body, failure, previous: redrawn } });
  }
  if (!shown) return withoutRequest(state);
  if (body.kind === 'loading')
    return withoutRequest({ ...state, body: { ...body, previous: redrawn } });
  if (redrawn && 'shown' in body)
    return withoutRequest({ ...state, body: { ...body, shown: redrawn } });
  return requestRows({ ...state, body: { kind: 'loading', request: 'page', previous: null } });
}

/** Their order would tell which of the hidden figures is the largest. */
function isSortedByHidden({ query: { ledger }, description, display }: OpenState): boolean {
  const column = description.columns.find(({ field }) => field === ledger?.sort?.field);
  return column !== undefined && display.hides(column.field);
}

function withoutOrder({ query, ...state }: OpenState): OpenState {
  const ledger = query.ledger && { ...query.ledger, sort: null };
  const body = { kind: 'loading', request: 'page', previous: null } as const;
  return { ...state, query: { ...query, page: 0, ledger }, body };
}

/** A failure may quote the exchange, and with it a figure. */
export function maskFailure(failure: RpcFailure, display: Display): RpcFailure {
  return { ...failure, sentence: display.serverText(failure.sentence) };
}

/** Keeps edits, unless the time zone changed: dates were typed in the old one. */
function formValuesInZone(
  { formValues, query, description, display }: OpenState,
  next: Display,
): FormValues {
  return display.zone.name === next.zone.name
    ? formValues
    : toFormValues(query, description.filters, next.zone);
}
