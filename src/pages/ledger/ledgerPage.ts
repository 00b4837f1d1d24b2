import * as v from 'valibot';
import { render, html, nothing, type TemplateResult } from 'lit';
import {
  ledgerDocumentSchema,
  ledgerStateSchema,
  type LedgerAction,
  type LedgerPageEvents,
  type LedgerPageMethods,
  type LedgerPageState,
  type LedgerDocument,
  type LedgerHistoryMap,
  type LedgerMonth,
} from '../../protocol/ledgerMap.ts';
import { acquireApi, hostClient } from '../hostClient.ts';
import { startPage } from '../startPage.ts';
import { actionHeader } from '../document/documentHeader.ts';

/** Draws what the host sends, and passes the buttons on to it. */
function start(root: HTMLElement): void {
  const vscode = acquireApi();
  const client = hostClient<LedgerPageMethods, LedgerPageEvents>(vscode, {
    'ledger/changed': draw,
  });
  function draw(received: unknown): void {
    render(ledgerView(v.parse(ledgerDocumentSchema, received), press), root);
  }
  function press(action: LedgerAction): void {
    client.request('ledger/press', action).catch(() => undefined);
  }
  const saved = v.safeParse(ledgerStateSchema, vscode.getState());
  const save = (): void => {
    const state: LedgerPageState = { v: 1, scroll: Math.round(window.scrollY) };
    vscode.setState(state);
  };
  void client.request('ledger/open', null).then((received) => {
    draw(received);
    if (saved.success) window.scrollTo({ top: saved.output.scroll });
    window.addEventListener('scrollend', save);
    save();
  });
}

startPage(start);

type Press = (action: LedgerAction) => void;

/** The whole page. Every text of it is drawn as text. */
function ledgerView(
  { title, account, notes, buttons, details, map }: LedgerDocument,
  press: Press,
): TemplateResult {
  return html`
    ${actionHeader(title, account, buttons, press)}
    ${notes.map((note) => html`<p class="note" role="note">${note}</p>`)}
    ${details.length > 0 ? detailsView(details) : nothing} ${map ? mapView(map) : nothing}
  `;
}

function detailsView(details: LedgerDocument['details']): TemplateResult {
  return html`<dl class="details">
    ${details.map(
      ({ label, text }) =>
        html`<div>
          <dt>${label}</dt>
          <dd>${text}</dd>
        </div>`,
    )}
  </dl>`;
}

function mapView({ title, legend, histories }: NonNullable<LedgerDocument['map']>): TemplateResult {
  return html`<section>
    <h2>${title}</h2>
    <ul class="legend">
      ${legend.map(
        ({ state, label }) =>
          html`<li>
            <span class="sample" data-state=${state} aria-hidden="true"></span>${label}
          </li>`,
      )}
    </ul>
    ${histories.map(historyView)}
  </section>`;
}

function historyView({ label, summary, months, gaps }: LedgerHistoryMap): TemplateResult {
  return html`<article>
    <h3>${label}</h3>
    <p class="summary">${summary}</p>
    <ol class="months" aria-label=${label}>
      ${months.map(monthView)}
    </ol>
    ${
      gaps.length === 0
        ? nothing
        : html`<ul class="gaps">
            ${gaps.map((gap) => html`<li>${gap}</li>`)}
          </ul>`
    }
  </article>`;
}

function monthView({ label, parts, detail }: LedgerMonth): TemplateResult {
  return html`<li title=${detail}>
    <span class="bar" aria-hidden="true"
      >${parts.map(
        ({ state, share }) =>
          html`<span class="part" data-state=${state} .style=${`flex-grow: ${share}`}></span>`,
      )}</span
    >
    <span class="month" aria-hidden="true">${label}</span>
    <span class="spoken">${detail}</span>
  </li>`;
}
