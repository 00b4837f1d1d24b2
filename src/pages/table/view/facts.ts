import { html, nothing, type TemplateResult } from 'lit';
import { cleanText } from '../../../base/cleanText.ts';
import type { Display } from '../../../base/display.ts';
import type { Fact, FactGroup } from '../../../protocol/table.ts';
import { cellText } from '../cells.ts';

/** What an answer says beside its rows: groups of names and values. */
export function factsView(
  groups: readonly FactGroup[],
  display: Display,
): TemplateResult | typeof nothing {
  if (groups.length === 0) return nothing;
  return html`<div class="facts">${groups.map((group) => groupView(group, display))}</div>`;
}

function groupView({ title, facts }: FactGroup, display: Display): TemplateResult {
  return html`
    <section>
      <h2>${title}</h2>
      <dl>${facts.map((fact) => factView(fact, display))}</dl>
    </section>
  `;
}

function factView(fact: Fact, display: Display): TemplateResult {
  const { label, kind, cell } = fact;
  const both = kind === 'time' && cell !== null ? cleanText(display.timeInBoth(cell)) : nothing;
  return html`<div>
    <dt>${label}</dt>
    <dd title=${both}>${cellText(cell, fact, display)}</dd>
  </div>`;
}
