import type { Display, DisplaySettings } from '../../base/display.ts';
import type { RpcFailure } from '../../protocol/messages.ts';
import type {
  CellOfPage,
  TableContext,
  TableDescription,
  TablePage,
  TableQuery,
} from '../../protocol/table.ts';
import type { Draft, DraftValue, Problems } from './draft.ts';
import type { Words } from './words.ts';

/** The two questions of a page to its host. */
export type Question = 'open' | 'page';

/** Rows and the query that they answer. */
export type Shown = { readonly query: TableQuery; readonly page: TablePage };

/** What stands where the rows belong. */
export type Body =
  | { readonly kind: 'noAccount' }
  /** `kept` are the rows of an earlier query of the same account, shown until the new ones come. */
  | { readonly kind: 'loading'; readonly question: Question; readonly kept: Shown | null }
  | { readonly kind: 'rows'; readonly shown: Shown }
  | { readonly kind: 'emptyAccount'; readonly shown: Shown }
  | { readonly kind: 'noMatch'; readonly shown: Shown }
  | { readonly kind: 'pastEnd'; readonly shown: Shown }
  | { readonly kind: 'failed'; readonly question: Question; readonly failure: RpcFailure };

export type OpenState = {
  readonly kind: 'open';
  /** Its context is always the newest that the host told. */
  readonly description: TableDescription;
  readonly words: Words;
  /** The newest that the host told. */
  readonly display: Display;
  readonly query: TableQuery;
  readonly draft: Draft;
  /** By parameter, and under `page` that of the field Go to page. */
  readonly problems: Problems;
  /** Counts resets, so that half-filled controls are made anew. */
  readonly resets: number;
  /** On a narrow page the filters stand behind a button. */
  readonly areFiltersShown: boolean;
  readonly body: Body;
  /** Why a link was not opened, a cell not copied or an export not begun; empty where nothing was refused. */
  readonly refusal: string;
  /** What a screen reader is told once. */
  readonly announcement: string;
  /** The page, by its number, that there may be newer rows than. */
  readonly newerThan?: number;
};

export type PageState =
  | { readonly kind: 'opening'; readonly words: Words }
  | { readonly kind: 'unopened'; readonly words: Words; readonly failure: RpcFailure }
  | OpenState;

export type Action =
  | { readonly kind: 'opened'; readonly description: TableDescription; readonly kept: unknown }
  | { readonly kind: 'answered'; readonly page: TablePage }
  | { readonly kind: 'failed'; readonly failure: RpcFailure }
  | { readonly kind: 'contextChanged'; readonly context: TableContext }
  /** The last page that the host sent comes with it, as it is shown now. */
  | {
      readonly kind: 'displayChanged';
      readonly display: DisplaySettings;
      readonly page: TablePage | null;
    }
  | { readonly kind: 'newerOffered'; readonly page: number }
  /** The host has filters to begin with. */
  | { readonly kind: 'reopened' }
  | { readonly kind: 'edited'; readonly parameter: string; readonly value: DraftValue }
  | { readonly kind: 'switched'; readonly parameter: string; readonly value: string }
  | { readonly kind: 'applied' }
  /** The last days of the shown zone; `now` is in epoch milliseconds. */
  | { readonly kind: 'choseDays'; readonly count: number; readonly now: number }
  | { readonly kind: 'reset' }
  | { readonly kind: 'wentTo'; readonly page: number }
  | { readonly kind: 'typedPage'; readonly text: string }
  | { readonly kind: 'resized'; readonly size: number }
  | { readonly kind: 'reloaded' }
  | { readonly kind: 'toggledFilters' }
  | { readonly kind: 'followedLink'; readonly link: string }
  | { readonly kind: 'copiedMasked'; readonly cell: CellOfPage }
  /** All rows of the applied query are to go to a file. */
  | { readonly kind: 'exported' }
  | { readonly kind: 'refused'; readonly sentence: string }
  | { readonly kind: 'copied' };

/** The next state, and what to do to the question under way: ask another instead, stop it, or leave it. */
export type Step = { readonly state: PageState; readonly ask: Question | 'nothing' | null };

/** The question under way goes on, if there is one. */
export function stay(state: PageState): Step {
  return { state, ask: null };
}

/** The rows on the page, new or kept. */
export function shownOf(body: Body): Shown | null {
  switch (body.kind) {
    case 'loading':
      return body.kept;
    case 'noAccount':
    case 'failed':
      return null;
    case 'rows':
    case 'emptyAccount':
    case 'noMatch':
    case 'pastEnd':
      return body.shown;
    default:
      return body satisfies never;
  }
}

/** Why nothing is on the page, where something failed. */
export function failureOf(state: PageState): RpcFailure | null {
  if (state.kind === 'unopened') return state.failure;
  return state.kind === 'open' && state.body.kind === 'failed' ? state.body.failure : null;
}
