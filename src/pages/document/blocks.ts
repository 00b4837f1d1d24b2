import { html, nothing, type TemplateResult } from 'lit';
import type {
  Block,
  Card,
  ChartBlock,
  Check,
  CoverageBlock,
  Finding,
  Label,
  MapLine,
  MapMonth,
  TimelineStep,
} from '../../protocol/document.ts';
import '../chart/chartElement.ts';
import type { ChartOptions } from '../chart/chartText.ts';
import { icon } from '../controls/controls.ts';
import type { DocumentTexts } from '../fill.ts';
import './calendarElement.ts';
import type { DocumentGrid } from './documentGrid.ts';
import {
  actionButtons,
  ageView,
  notesView,
  paragraphs,
  shownText,
  type FigureParts,
  type Press,
} from './parts.ts';
import { documentTableView } from './table.ts';

/** What a block needs of its page. */
export type BlockParts = FigureParts & {
  readonly press: Press;
  readonly grid: DocumentGrid;
  readonly texts: DocumentTexts;
};

/** Every text of a block is drawn as text. */
export function blockView(block: Block, parts: BlockParts): TemplateResult {
  switch (block.kind) {
    case 'notice':
      return noticeView(block, parts);
    case 'coverage':
      return coverageView(block, parts);
    case 'cards':
      return html`<div
        class="cards ${block.isStrip ? 'strip' : ''} ${parts.display.showsAllDigits ? 'allDigits' : ''}"
      >
        ${block.cards.map((card) => cardView(card, parts))}
      </div>`;
    case 'details':
      return detailsView(block);
    case 'table':
      return documentTableView(block, parts);
    case 'grid':
      return gridView(block, parts);
    case 'chart':
      return chartView(block, parts);
    case 'timeline':
      return html`<ol class="timeline">
        ${block.steps.map((step) => stepView(step, parts))}
      </ol>`;
    case 'map':
      return mapView(block);
    case 'calendar':
      return html`<margin-calendar .options=${{ calendar: block, ...parts }}></margin-calendar>`;
    case 'checklist':
      return html`<ul class="checklist">
        ${block.items.map((item) => checkView(item, parts))}
      </ul>`;
  }
}

type Of<Kind extends Block['kind']> = Extract<Block, { kind: Kind }>;

function noticeView(
  { tone, outcome, texts, asOf, button }: Of<'notice'>,
  parts: BlockParts,
): TemplateResult {
  const role = outcome ? 'status' : tone === 'warning' ? 'note' : nothing;
  return html`<div class="notice" data-tone=${tone} role=${role}>
    ${outcome ? icon(outcome.state) : nothing}
    <div>
      ${outcome ? html`<h2>${outcome.word}</h2>` : nothing} ${paragraphs(texts, parts)}
      ${asOf === undefined ? nothing : html`<p class="asOf">${asOf}</p>`}
      ${button ? actionButtons([button], parts.press) : nothing}
    </div>
  </div>`;
}

function coverageView(
  { text, isComplete, gaps, gapsLabel, button }: CoverageBlock,
  { press }: BlockParts,
): TemplateResult {
  return html`<div class="coverage" data-complete=${isComplete ? 'true' : 'false'}>
    <p>${text}</p>
    ${button ? actionButtons([button], press) : nothing}
    ${
      gaps.length === 0
        ? nothing
        : html`<details>
            <summary>${gapsLabel}</summary>
            <ul>
              ${gaps.map((gap) => html`<li>${gap}</li>`)}
            </ul>
          </details>`
    }
  </div>`;
}

function cardView(
  { label, age = null, incomplete = null, lines, notes, buttons = [] }: Card,
  parts: BlockParts,
): TemplateResult {
  return html`<section class="card" data-partial=${incomplete === null ? nothing : 'true'}>
    <h3>${label} ${ageView(age)}</h3>
    ${incompleteView(incomplete)} ${lines.map((line) => lineView(line, parts))}
    ${notesView(notes, parts)} ${actionButtons(buttons, parts.press)}
  </section>`;
}

function incompleteView(incomplete: string | null): TemplateResult | typeof nothing {
  return incomplete === null ? nothing : html`<p class="incomplete">${incomplete}</p>`;
}

function lineView({ text, detail, tone }: Label, parts: BlockParts): TemplateResult {
  return html`<p class="line" data-tone=${tone ?? nothing} title=${detail ?? nothing}>
    ${shownText(text, parts)}
  </p>`;
}

function detailsView({ items }: Of<'details'>): TemplateResult {
  return html`<dl class="facts">
    ${items.map(
      ({ label, texts }) =>
        html`<div>
          <dt>${label}</dt>
          ${texts.map((text) => html`<dd>${text}</dd>`)}
        </div>`,
    )}
  </dl>`;
}

/** Its button is for the active row. */
function gridView({ button }: Of<'grid'>, { grid, press }: BlockParts): TemplateResult {
  const pressRow: Press = (action) => grid.active && press(action, [grid.active.row]);
  return html`${grid.template()} ${button ? actionButtons([button], pressRow) : nothing}`;
}

function chartView(chart: ChartBlock, parts: BlockParts): TemplateResult {
  const { title, incomplete, summary, notes, open: button } = chart;
  const { display, texts, press } = parts;
  const open: ChartOptions['open'] = (point, series) =>
    button && press(button.action, series === null ? [point] : [point, series]);
  return html`<article class="chart" data-partial=${incomplete === null ? nothing : 'true'}>
    <h3>${title}</h3>
    ${incompleteView(incomplete)}
    <p class="summary">${shownText(summary, parts)}</p>
    ${notesView(notes, parts)}
    ${chart.data ? html`<margin-chart .options=${{ chart, display, texts, open }}></margin-chart>` : nothing}
  </article>`;
}

function stepView(
  { title, state, at, texts, checks }: TimelineStep,
  parts: BlockParts,
): TemplateResult {
  return html`<li data-state=${state}>
    ${icon(state)}
    <div class="step">
      <h3>${title}</h3>
      ${at ? html`<p class="time" title=${at.detail ?? nothing}>${at.text}</p>` : nothing}
      ${paragraphs(texts, parts)} ${checks.length === 0 ? nothing : stepChecksView(checks, parts)}
    </div>
  </li>`;
}

function stepChecksView(checks: TimelineStep['checks'], parts: BlockParts): TemplateResult {
  return html`<dl class="checks">
    ${checks.map(
      ({ label, state, text }) => html`
        <div data-state=${state}>
          <dt title=${label.detail ?? nothing}>${icon(state)} ${label.text}</dt>
          <dd>${shownText(text, parts)}</dd>
        </div>
      `,
    )}
  </dl>`;
}

function mapView({ legend, lines }: Of<'map'>): TemplateResult {
  return html`<ul class="legend">
      ${legend.map(
        ({ state, label }) =>
          html`<li>
            <span class="sample" data-state=${state} aria-hidden="true"></span>${label}
          </li>`,
      )}
    </ul>
    ${lines.map(mapLineView)}`;
}

function mapLineView({ label, summary, months, gaps }: MapLine): TemplateResult {
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

function monthView({ label, parts, detail }: MapMonth): TemplateResult {
  return html`<li title=${detail}>
    <span class="monthBar" aria-hidden="true"
      >${parts.map(
        ({ state, share }) =>
          html`<span class="part" data-state=${state} .style=${`flex-grow: ${share}`}></span>`,
      )}</span
    >
    <span class="month" aria-hidden="true">${label}</span>
    <span class="spoken">${detail}</span>
  </li>`;
}

function checkView(
  { label, state, word, figure, texts, findings, table }: Check,
  parts: BlockParts,
): TemplateResult {
  return html`<li data-state=${state}>
    <div class="checkHead">
      ${icon(state)}
      <h3>${label}</h3>
      ${word === undefined ? nothing : html`<span class="word">${word}</span>`}
      ${
        figure
          ? html`<span class="figure"
              ><span class="remark">${figure.label}</span> ${shownText(figure.text, parts)}</span
            >`
          : nothing
      }
    </div>
    ${paragraphs(texts, parts)}
    ${
      findings
        ? html`<h4>${findings.label}</h4>
            <ol class="findings">
              ${findings.list.map((finding) => findingView(finding, parts))}
            </ol>`
        : nothing
    }
    ${table ? foldedTable(label, table, parts) : nothing}
  </li>`;
}

function findingView({ title, notes, rows, buttons }: Finding, parts: BlockParts): TemplateResult {
  return html`<li>
    ${shownText(title, parts)} ${notes.map((note) => html`<span class="remark">${note}</span> `)}
    ${
      rows.length === 0
        ? nothing
        : html`<ul>
            ${rows.map(
              ({ text, button }) =>
                html`<li>${shownText(text, parts)} ${actionButtons([button], parts.press)}</li>`,
            )}
          </ul>`
    }
    ${actionButtons(buttons, parts.press)}
  </li>`;
}

/** A person may open or close it: only a change of what the host says does so again. */
function foldedTable(
  subject: string,
  table: NonNullable<Check['table']>,
  parts: BlockParts,
): TemplateResult {
  return html`<details ?open=${table.isOpen}>
    <summary>${table.title}</summary>
    ${documentTableView({ ...table, title: `${subject} · ${table.title}` }, parts)}
  </details>`;
}
