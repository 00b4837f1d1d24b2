import { Display, type DisplaySettings } from '../../base/display.ts';
import type { RpcFailure } from '../../protocol/messages.ts';
import type { TableContext, TableDescription, TablePage } from '../../protocol/table.ts';
import { draftOf, draftOfDays, readDraft, type Draft, type DraftValue } from './draft.ts';
import { pageFromText, pagesText, recordCount } from './pager.ts';
import { filterCount, restoredQuery, switchedFilters } from './query.ts';
import {
  shownOf,
  type Action,
  type Body,
  type OpenState,
  type PageState,
  type Step,
} from './state.ts';

/** Everything that can happen to a table page: pure, so that it can be told without a browser. */
export function reduce(state: PageState, action: Action): Step {
  if (action.kind === 'opened') return opened(state, action.description, action.kept);
  if (state.kind === 'open') return reduceOpen(state, action);
  if (action.kind === 'failed')
    return stay({ kind: 'unopened', words: state.words, failure: action.failure });
  if (state.kind === 'unopened' && action.kind === 'displayChanged')
    return stay({ ...state, failure: said(state.failure, new Display(action.display)) });
  return reopening.includes(action.kind)
    ? { state: { kind: 'opening', words: state.words }, ask: 'open' }
    : stay(state);
}

const reopening: readonly Action['kind'][] = ['reloaded', 'reopened', 'contextChanged'];

function reduceOpen(state: OpenState, action: Exclude<Action, { kind: 'opened' }>): Step {
  switch (action.kind) {
    case 'answered':
      return stay(answered(state, action.page));
    case 'failed':
      return stay({ ...state, body: { ...failedQuestion(state), failure: action.failure } });
    case 'contextChanged':
      return contextChanged(state, action.context);
    case 'displayChanged':
      return displayChanged(state, action.display, action.page);
    case 'newerOffered':
      return stay({ ...state, newerThan: action.page });
    case 'reopened':
      return opening(state);
    case 'edited':
      return stay(edited(state, action.parameter, action.value));
    case 'switched':
      return switched(state, action.parameter, action.value);
    case 'applied':
      return applied(state);
    case 'choseDays':
      return applied(withDays(state, action.count, action.now));
    case 'reset':
      return reset(state);
    case 'wentTo':
      return asked({ ...state, query: { ...state.query, page: action.page } });
    case 'typedPage':
      return typedPage(state, action.text);
    case 'resized':
      return asked({ ...state, query: { ...state.query, page: 0, size: action.size } });
    case 'reloaded':
      return asked(state);
    case 'toggledFilters':
      return stay({ ...state, areFiltersShown: !state.areFiltersShown });
    case 'followedLink':
    case 'copiedMasked':
    case 'exported':
      return stay({ ...state, refusal: '' });
    case 'refused':
      return stay({ ...state, refusal: action.sentence });
    case 'copied':
      return stay({ ...state, announcement: state.words.copied });
    default:
      return action satisfies never;
  }
}

const stay = (state: PageState): Step => ({ state, ask: null });

function opened(before: PageState, description: TableDescription, kept: unknown): Step {
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
function asked(state: OpenState): Step {
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
function opening(state: OpenState): Step {
  const body: Body = { kind: 'loading', question: 'open', kept: null };
  return { state: { ...state, body, refusal: '', announcement: '' }, ask: 'open' };
}

function answered(state: OpenState, page: TablePage): OpenState {
  const body = answerBody(state, page);
  return { ...state, body, announcement: announcementOf(state, body, page) };
}

function announcementOf(
  { query, description, words, display }: OpenState,
  body: Body,
  page: TablePage,
): string {
  if (body.kind === 'emptyAccount') return words.nothingYet;
  if (body.kind === 'noMatch') return words.noMatch;
  if (body.kind === 'pastEnd') return words.pastEnd(query.page + 1);
  if (description.pageSizes.length === 0) return words.rowsRead(page.rows.length);
  return words.rowsLoaded(page.rows.length, query.page + 1, pagesText(page, display));
}

function answerBody({ query, description }: OpenState, page: TablePage): Body {
  const shown = { query, page };
  if (recordCount(page) > 0) return { kind: 'rows', shown };
  if (query.page > 0 && page.totalElements !== '0') return { kind: 'pastEnd', shown };
  const isFiltered = filterCount(query, description.filters) > 0;
  return { kind: isFiltered ? 'noMatch' : 'emptyAccount', shown };
}

function failedQuestion({ body }: OpenState): { kind: 'failed'; question: 'open' | 'page' } {
  return { kind: 'failed', question: body.kind === 'loading' ? body.question : 'page' };
}

/** Rows never stand under another account's name: they go before its own are asked for. */
function contextChanged(before: OpenState, context: TableContext): Step {
  const { profile, session } = before.description.context;
  const state = { ...before, description: { ...before.description, context } };
  if (profile === context.profile)
    return session === context.session ? stay(state) : opening(state);
  const fromStart = {
    ...state,
    query: { ...state.query, page: 0 },
    problems: {},
    refusal: '',
    announcement: '',
  };
  if (context.profile === null)
    return { state: { ...fromStart, body: { kind: 'noAccount' } }, ask: 'nothing' };
  return opening(fromStart);
}

/**
 * The same rows in another look; rows that the host no longer holds go, as they may show what is
 * hidden now, and so do figures in what the exchange said.
 */
function displayChanged(
  before: OpenState,
  settings: DisplaySettings,
  page: TablePage | null,
): Step {
  const display = new Display(settings);
  const refusal = display.said(before.refusal);
  const state = { ...before, display, refusal, draft: redrawnDraft(before, display) };
  const { body } = before;
  if (body.kind === 'failed')
    return stay({ ...state, body: { ...body, failure: said(body.failure, display) } });
  const shown = shownOf(body);
  if (!shown) return stay(state);
  const redrawn = shown.page.number === page?.number ? { ...shown, page } : null;
  if (body.kind === 'loading') return stay({ ...state, body: { ...body, kept: redrawn } });
  if (redrawn && 'shown' in body) return stay({ ...state, body: { ...body, shown: redrawn } });
  return asked({ ...state, body: { kind: 'loading', question: 'page', kept: null } });
}

/** A failure may quote the exchange. */
function said(failure: RpcFailure, display: Display): RpcFailure {
  return { ...failure, sentence: display.said(failure.sentence) };
}

/** What is typed stays, but for dates of another zone. */
function redrawnDraft({ draft, query, description, display }: OpenState, next: Display): Draft {
  return display.zone.name === next.zone.name
    ? draft
    : draftOf(query, description.filters, next.zone);
}

function withDays(state: OpenState, count: number, now: number): OpenState {
  const draft = draftOfDays(state.draft, count, now, state.display.zone);
  return { ...state, draft, resets: state.resets + 1 };
}

/** A problem may name two controls, so that an edit of either takes it away. */
function edited(state: OpenState, parameter: string, value: DraftValue): OpenState {
  return { ...state, draft: { ...state.draft, [parameter]: value }, problems: {} };
}

/** A switch is no filter to be applied: it asks at once, and leaves what is only edited alone. */
function switched(before: OpenState, parameter: string, value: string): Step {
  const state = edited(before, parameter, value);
  const filters = { ...state.query.filters, [parameter]: value };
  return asked({ ...state, query: { ...state.query, filters, page: 0 } });
}

function applied(state: OpenState): Step {
  const { draft, query: before, words, display } = state;
  const { filters } = state.description;
  const { zone } = display;
  const read = readDraft(draft, { filters, zone, sent: before.filters, words });
  if (read.problems) return stay({ ...state, problems: read.problems });
  const query = { ...before, filters: read.filters, page: 0 };
  return asked({ ...state, query, draft: draftOf(query, filters, zone) });
}

function reset(state: OpenState): Step {
  const offered = state.description.filters;
  const query = { ...state.query, filters: switchedFilters(state.query.filters, offered), page: 0 };
  const draft = draftOf(query, offered, state.display.zone);
  return asked({ ...state, query, draft, resets: state.resets + 1 });
}

function typedPage(state: OpenState, text: string): Step {
  const page = pageFromText(text);
  if (page === null)
    return stay({ ...state, problems: { ...state.problems, page: state.words.badPage } });
  return asked({ ...state, query: { ...state.query, page } });
}
