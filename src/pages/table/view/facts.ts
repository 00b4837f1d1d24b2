import { html, nothing, type TemplateResult } from 'lit';
import type { Fact, FactGroup } from '../../../protocol/table.ts';
import { cellText } from '../cells.ts';

/** What an answer says beside its rows: groups of names and values. */
export function factsView(groups: readonly FactGroup[]): TemplateResult | typeof nothing {
  if (groups.length === 0) return nothing;
  return html`<div class="facts">${groups.map(groupView)}</div>`;
}

function groupView({ title, facts }: FactGroup): TemplateResult {
  return html`
    <section>
      <h2>${title}</h2>
      <dl>${facts.map(factView)}</dl>
    </section>
  `;
}

function factView({ label, kind, cell }: Fact): TemplateResult {
  return html`<div>
    <dt>${label}</dt>
    <dd>${cellText(cell, kind)}</dd>
  </div>`;
}
