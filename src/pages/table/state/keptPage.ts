import type { PageView, TableQuery } from '../../../protocol/table.ts';
import type { FormValues } from '../filters/filterForm.ts';
import { requestRows, withoutRequest, type OpenState, type Transition } from './pageState.ts';
import { showRows } from './receivedRows.ts';
import { isSameQuery } from './savedQuery.ts';

/**
 * Shows again what the page before this one showed. It requests rows only if there are none, if the
 * query has changed since, or if a command replaced the filters.
 */
export function restorePage(opened: OpenState): Transition {
  const { kept, initialFilters } = opened.description;
  if (!kept || initialFilters) return requestRows(opened);
  const { shown, failed, view } = kept;
  const rows = shown ? showRows({ ...opened, query: shown.query }, shown.page) : opened;
  const formValues = keptFormValues(opened, view);
  const state: OpenState = { ...rows, formValues, announcement: '' };
  const { query } = opened;
  const isAnswered = (answered: TableQuery): boolean => isSameQuery(answered, query);
  if (failed && isAnswered(failed.query)) {
    const { failure } = failed;
    const body = { kind: 'failed', request: 'page', failure, previous: shown } as const;
    return withoutRequest({ ...state, query, body });
  }
  if (shown && [shown.query, rows.query].some(isAnswered)) return withoutRequest(state);
  return requestRows({ ...state, query });
}

/** What the user typed, unless the time zone has changed: dates were typed in the old one. */
function keptFormValues({ formValues, display }: OpenState, view: PageView | null): FormValues {
  return view?.zone === display.zone.name ? { ...formValues, ...view.formValues } : formValues;
}

/** For the host to keep while the panel is hidden. */
export function pageViewOf({ display, formValues, grid }: OpenState): PageView {
  const { sort, active, selection, pageId, scroll, areDetailsOpen } = grid;
  return {
    zone: display.zone.name,
    formValues: formValues as PageView['formValues'],
    grid: { sort, active, selection, pageId, scroll, areDetailsOpen },
  };
}
