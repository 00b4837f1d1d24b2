import { Display } from '../../base/display.ts';
import type { TableDescription } from '../../protocol/table.ts';
import { draftOf, draftOfDays, readDraft, type DraftValue } from './draft.ts';
import { pageFromText } from './pager.ts';
import { restoredQuery, switchedFilters } from './query.ts';
import { shownOf, stay, type Body, type OpenState, type PageState, type Step } from './state.ts';

/** What leads to a question: a page that opens, and what a person does with filters and pager. */

export function opened(before: PageState, description: TableDescription, kept: unknown): Step {
  const query = restoredQuery(kept, description);
  const display = new Display(description.display);
  const hasAccount = description.context.profile !== null;
  const state: OpenState = {
    kind: 'open',
    description,
    words: before.words,
    display,
    query,
    draft: draftOf(query, description.filters, display.zone),
    problems: {},
    resets: before.kind === 'open' ? before.resets + 1 : 0,
    areFiltersShown: before.kind === 'open' && before.areFiltersShown,
    body: hasAccount ? { kind: 'loading', question: 'page', kept: null } : { kind: 'noAccount' },
    refusal: '',
    announcement: '',
  };
  return { state, ask: hasAccount ? 'page' : null };
}

/** The question for the state's query; a description that is still owed is asked for first. */
export function asked(state: OpenState): Step {
  const { body } = state;
  const owed = (body.kind === 'loading' || body.kind === 'failed') && body.question === 'open';
  const question = owed ? 'open' : 'page';
  const loading: Body = { kind: 'loading', question, kept: shownOf(body) };
  return {
    state: { ...state, body: loading, problems: {}, refusal: '', announcement: '' },
    ask: question,
  };
}

/** Nothing that stands on the page is what its next description begins with. */
export function opening(state: OpenState): Step {
  const body: Body = { kind: 'loading', question: 'open', kept: null };
  return { state: { ...state, body, refusal: '', announcement: '' }, ask: 'open' };
}

export function withDays(state: OpenState, count: number, now: number): OpenState {
  const draft = draftOfDays(state.draft, count, now, state.display.zone);
  return { ...state, draft, resets: state.resets + 1 };
}

/** A problem may name two controls, so that an edit of either takes it away. */
export function edited(state: OpenState, parameter: string, value: DraftValue): OpenState {
  return { ...state, draft: { ...state.draft, [parameter]: value }, problems: {} };
}

/** A switch is no filter to be applied: it asks at once, and leaves what is only edited alone. */
export function switched(before: OpenState, parameter: string, value: string): Step {
  const state = edited(before, parameter, value);
  const filters = { ...state.query.filters, [parameter]: value };
  return asked({ ...state, query: { ...state.query, filters, page: 0 } });
}

export function applied(state: OpenState): Step {
  const { draft, query: before, words, display } = state;
  const { filters } = state.description;
  const { zone } = display;
  const read = readDraft(draft, { filters, zone, sent: before.filters, words });
  if (read.problems) return stay({ ...state, problems: read.problems });
  const query = { ...before, filters: read.filters, page: 0 };
  return asked({ ...state, query, draft: draftOf(query, filters, zone) });
}

export function reset(state: OpenState): Step {
  const offered = state.description.filters;
  const query = { ...state.query, filters: switchedFilters(state.query.filters, offered), page: 0 };
  const draft = draftOf(query, offered, state.display.zone);
  return asked({ ...state, query, draft, resets: state.resets + 1 });
}

export function typedPage(state: OpenState, text: string): Step {
  const page = pageFromText(text);
  if (page === null)
    return stay({ ...state, problems: { ...state.problems, page: state.words.badPage } });
  return asked({ ...state, query: { ...state.query, page } });
}
