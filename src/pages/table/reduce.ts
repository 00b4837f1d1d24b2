import { Display } from '../../base/display.ts';
import { answered, failedQuestion } from './answers.ts';
import {
  applied,
  asked,
  edited,
  opened,
  opening,
  reset,
  switched,
  typedPage,
  withDays,
} from './asking.ts';
import { contextChanged, displayChanged, said } from './changes.ts';
import { stay, type Action, type OpenState, type PageState, type Step } from './state.ts';

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
