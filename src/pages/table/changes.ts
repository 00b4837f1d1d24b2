import { Display, type DisplaySettings } from '../../base/display.ts';
import type { RpcFailure } from '../../protocol/messages.ts';
import type { TableContext, TablePage } from '../../protocol/table.ts';
import { asked, opening } from './asking.ts';
import { draftOf, type Draft } from './draft.ts';
import { shownOf, stay, type OpenState, type Step } from './state.ts';

/** What the host tells that nobody asked for: another account, another look. */

/** Rows never stand under another account's name: they go before its own are asked for. */
export function contextChanged(before: OpenState, context: TableContext): Step {
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
export function displayChanged(
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
export function said(failure: RpcFailure, display: Display): RpcFailure {
  return { ...failure, sentence: display.said(failure.sentence) };
}

/** What is typed stays, but for dates of another zone. */
function redrawnDraft({ draft, query, description, display }: OpenState, next: Display): Draft {
  return display.zone.name === next.zone.name
    ? draft
    : draftOf(query, description.filters, next.zone);
}
