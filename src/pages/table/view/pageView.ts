import '@vscode-elements/elements/dist/vscode-checkbox/index.js';
import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { cleanText } from '../../../base/cleanText.ts';
import type {
  Column,
  SummaryGroup,
  SummaryItem,
  TablePage,
  ShownRows,
} from '../../../protocol/table.ts';
import { iconButton, button } from '../../controls/controls.ts';
import { cellText } from '../../grid/cells.ts';
import { gridView } from '../../grid/element.ts';
import type { Grid, GridDispatch } from '../../grid/model.ts';
import { isHidden, orderedColumns, shownColumns } from '../../grid/order.ts';
import { popoverButton } from '../../controls/popover.ts';
import { gridWithDetails } from '../state/details.ts';
import { recordCount, gridOf } from '../state/shownRows.ts';
import { failureOf, type Dispatch, type OpenState, type PageState } from '../state/pageState.ts';
import { pageFooter } from './pageFooter.ts';
import type { Display } from '../../../base/display.ts';
import type { PageTexts } from '../state/pageTexts.ts';
import { filterChips, filterTools } from './filterTools.ts';
import './toolbarElement.ts';
import type { RpcFailure } from '../../../protocol/messages.ts';
import { hasSameFilters } from '../../../protocol/tableQuery.ts';
import { emptyText, type EmptyText } from '../state/receivedRows.ts';

/** The whole page. `now` is in epoch milliseconds. */
export function pageView(state: PageState, now: number, dispatch: Dispatch): TemplateResult {
  const failure = failureOf(state);
  const { texts } = state;
  const failed = failure && { failure, retry: retryTools(failure, texts, now, dispatch) };
  if (state.kind !== 'open')
    return failed ? failureMessage(failed, texts) : loadingMessage(texts.opening);
  const { body, shown, description } = state;
  const { note } = description;
  const rows = hasRows(state);
  return html`
    ${pageToolbar(state, now, dispatch)}
    ${note === '' ? nothing : html`<p class="remark">${cleanText(note)}</p>`}
    <div class="progress" ?data-busy=${body.kind === 'loading'}></div>
    ${olderRows(state, dispatch)} ${tableNotes(state, shown?.page)}
    ${failed && shown && rows ? failureBanner(state, failed, shown) : nothing}
    <div class="body" ?data-dimmed=${failed !== null}>
      ${rows ? gridView(gridWithDetails(state), actOn(dispatch)) : messageView(state, failed, dispatch)}
    </div>
    ${body.kind === 'noAccount' ? nothing : pageFooter(state, now, dispatch)}
    <p class="spoken" role="status">${state.announcement}</p>
  `;
}

/** While other rows load, and after a failure, the previous ones stay. What could not be read is said above the grid. */
function hasRows({ body, shown }: OpenState): boolean {
  if (!shown) return false;
  return (body.kind === 'rows' ? recordCount(shown.page) : shown.page.rows.length) > 0;
}

function actOn(dispatch: Dispatch): GridDispatch {
  return (action) => dispatch({ kind: 'grid', action });
}

/** Where the rows are that the ledger does not have, and how to get there. */
function olderRows(
  { shown, texts, display }: OpenState,
  dispatch: Dispatch,
): TemplateResult | typeof nothing {
  const before = shown?.page.ledger?.olderThan;
  if (typeof before !== 'number') return nothing;
  return html`<p class="remark">
    ${texts.olderRows(display.timeToSecond(before))}
    ${button(texts.showOlder, () => dispatch({ kind: 'olderChosen', before }), { isSecondary: true })}
  </p>`;
}

const maxBadRecords = 3;

/** Everything between the filters and the rows: errors, notes, unreadable records and the summary. */
function tableNotes(
  { actionError, texts, display }: OpenState,
  page: TablePage | undefined,
): TemplateResult {
  const { notes = [], badRecords = [], summary = [] } = page ?? {};
  return html`
    ${actionError === '' ? nothing : note(actionError, 'alert')}
    ${notes.map((sentence) => note(sentence, 'note'))}
    ${badRecords.length === 0 ? nothing : badRecordsNote(badRecords, texts)}
    ${summary.length === 0 ? nothing : summaryView(summary, display)}
  `;
}

function note(sentence: string, role: 'alert' | 'note'): TemplateResult {
  return html`<p class="note" role=${role}>${cleanText(sentence, 500)}</p>`;
}

function badRecordsNote(sentences: readonly string[], texts: PageTexts): TemplateResult {
  const more = sentences.length - maxBadRecords;
  return html`
    <div class="note" role="note">
      <p>${texts.badRecords(sentences.length)}</p>
      <ul>
        ${sentences.slice(0, maxBadRecords).map((text) => html`<li>${cleanText(text, 300)}</li>`)}
        ${more > 0 ? html`<li>${texts.andMore(more)}</li>` : nothing}
      </ul>
    </div>
  `;
}

function summaryView(groups: readonly SummaryGroup[], display: Display): TemplateResult {
  const sections = groups.map(
    ({ title, items }) =>
      html`<section>
        <h2>${title}</h2>
        <dl>${items.map((item) => summaryItem(item, display))}</dl>
      </section>`,
  );
  return html`<div class="summary">${sections}</div>`;
}

function summaryItem(item: SummaryItem, display: Display): TemplateResult {
  const { label, kind, cell } = item;
  const tooltip =
    kind === 'time' && cell !== null ? cleanText(display.timeInBothZones(cell)) : nothing;
  return html`<div>
    <dt>${label}</dt>
    <dd title=${tooltip}>${cellText(cell, item, display)}</dd>
  </div>`;
}

/** Whose rows the page shows, the filters, and what can be done with all rows. */
function pageToolbar(state: OpenState, now: number, dispatch: Dispatch): TemplateResult {
  const { texts, description } = state;
  const { title, context, pageSizes, filters } = description;
  if (context.profile === null) return html`<h1 class="spoken">${title}</h1>`;
  return html`
    <h1 class="spoken">${title}</h1>
    <margin-toolbar role="toolbar" aria-label=${title}>
      <div class="tools">
        ${accountLabel(context.environment, context.profile)}
        ${filters.length > 0 ? filterTools(state, now, dispatch) : nothing}
        ${refreshTool(state, dispatch)}
        ${
          pageSizes.length > 0
            ? iconButton('export', texts.exportAll, () => dispatch({ kind: 'exportRequested' }))
            : nothing
        }
        ${columnsMenu(gridOf(state), texts, actOn(dispatch))}
      </div>
      ${filterChips(state, now, dispatch)}
    </margin-toolbar>
  `;
}

/** The host says what a page costs when the user turns to the button. */
function refreshTool({ texts, weight }: OpenState, dispatch: Dispatch): TemplateResult {
  const ask = (): void => dispatch({ kind: 'weightRequested' });
  const refresh = (): void => dispatch({ kind: 'refreshed' });
  return html`<span class="refresh" @pointerenter=${ask} @focusin=${ask}>
    ${iconButton('refresh', texts.refresh, refresh, {}, weight)}
  </span>`;
}

/** The name of the practice exchange says its environment. */
function accountLabel(environment: string, profile: string): TemplateResult {
  return html`<span class="account">
    ${
      environment === 'PRACTICE'
        ? nothing
        : html`<span class="environment" data-environment=${environment}
            >${cleanText(environment)}</span
          >`
    }
    <span class="profile" title=${cleanText(profile)}>${cleanText(profile)}</span>
  </span>`;
}

/** The button “Columns” and its menu, which does by keyboard what dragging does by mouse. */
function columnsMenu(grid: Grid, texts: PageTexts, act: GridDispatch): TemplateResult {
  const { columns, state } = grid;
  const ordered = orderedColumns(columns, state.layout).flatMap((index) => columns[index] ?? []);
  const content = html`<ul>
      ${repeat(
        ordered,
        ({ field }) => field,
        (column, place) =>
          columnItem(grid, column, [ordered[place - 1], ordered[place + 1]], texts, act),
      )}
    </ul>
    ${button(texts.resetColumns, () => act({ kind: 'layoutReset' }), { isSecondary: true })}`;
  return popoverButton({ id: 'columns', label: texts.columns, iconName: 'columns', content });
}

function columnItem(
  { columns, state: { layout } }: Grid,
  { field, label }: Column,
  [earlier, later]: readonly [Column | undefined, Column | undefined],
  texts: PageTexts,
  act: GridDispatch,
): TemplateResult {
  const isShown = !isHidden(layout, field);
  const isLast = isShown && shownColumns(columns, layout).length === 1;
  const moveButton = (name: 'up' | 'down', text: string, target?: Column): TemplateResult => {
    const move = ({ currentTarget }: Event): void => {
      if (target) act({ kind: 'columnMoved', field, target: target.field });
      if (currentTarget instanceof HTMLButtonElement) keepFocus(currentTarget);
    };
    return iconButton(name, text, move, { isDisabled: !target });
  };
  return html`<li>
    <vscode-checkbox
      label=${label}
      .checked=${isShown}
      ?disabled=${isLast}
      @change=${() => act({ kind: 'columnToggled', field })}
    ></vscode-checkbox>
    ${moveButton('up', texts.moveEarlier(label), earlier)}
    ${moveButton('down', texts.moveLater(label), later)}
  </li>`;
}

/** On the button that moved with its column, or on the one beside it if the column is the first or last now. */
function keepFocus(button: HTMLButtonElement): void {
  const other = button.parentElement?.querySelector<HTMLButtonElement>('button:enabled');
  (button.disabled ? other : button)?.focus();
}

/** What a table without rows shows in their place. */
function messageView(
  state: OpenState,
  failed: Failed | null,
  dispatch: Dispatch,
): TemplateResult | typeof nothing {
  const { texts, body, shown } = state;
  if (failed) return failureMessage(failed, texts);
  if (body.kind === 'loading') return loadingMessage(texts.loading);
  if (body.kind === 'noAccount') {
    const action = { kind: 'accountActionChosen', action: 'tryPractice' } as const;
    const button = { label: texts.openPractice, action };
    return emptyView({ title: texts.noAccount, hint: texts.noAccountHint, button }, dispatch);
  }
  return shown ? emptyView(emptyText(state, shown), dispatch) : nothing;
}

function loadingMessage(text: string): TemplateResult {
  return html`<p class="message" role="status">${text}</p>`;
}

function emptyView({ title, hint, button: choice }: EmptyText, dispatch: Dispatch): TemplateResult {
  return html`
    <div class="message">
      <h2>${title}</h2>
      <p>${hint}</p>
      ${choice ? button(choice.label, () => dispatch(choice.action)) : nothing}
    </div>
  `;
}

type Failed = { readonly failure: RpcFailure; readonly retry: TemplateResult };

/** In place of rows. */
function failureMessage({ failure, retry }: Failed, texts: PageTexts): TemplateResult {
  return html`
    <div class="message" data-kind=${failure.kind}>
      <div role="alert">
        <h2>${texts.failureTitle(failure.kind)}</h2>
        <p>${cleanText(failure.sentence, 500)}</p>
      </div>
      ${retry}
    </div>
  `;
}

/** Above the rows that were read before the failure; its sentence says what failed and why. */
function failureBanner(
  { texts, display, query }: OpenState,
  { failure, retry }: Failed,
  earlier: ShownRows,
): TemplateResult {
  const readAt = display.timeToSecond(earlier.page.readAt);
  const rows = hasSameFilters(query, earlier.query)
    ? texts.earlierRows(readAt)
    : texts.earlierFilters(readAt);
  return html`
    <div class="note failure" data-kind=${failure.kind}>
      <p role="alert"><strong>${cleanText(failure.sentence, 500)}</strong> ${rows}</p>
      ${retry}
    </div>
  `;
}

/** A countdown if the failure says when to try again. */
function retryTools(
  { retryAt, signIn = [] }: RpcFailure,
  texts: PageTexts,
  now: number,
  dispatch: Dispatch,
): TemplateResult {
  const seconds = Math.ceil(((retryAt ?? now) - now) / 1000);
  const isWaiting = seconds > 0;
  return html`
    ${isWaiting ? html`<p class="countdown" role="timer">${texts.retryIn(seconds)}</p>` : nothing}
    ${signIn.map(({ action, title }) =>
      button(title, () => dispatch({ kind: 'accountActionChosen', action })),
    )}
    ${button(texts.retry, () => dispatch({ kind: 'refreshed' }), { isDisabled: isWaiting })}
  `;
}
