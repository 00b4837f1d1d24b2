import { html, nothing, type TemplateResult } from 'lit';
import { detailsPane } from './detailsPane.ts';
import './element.ts';
import { findBar } from './findBar.ts';
import type { Grid, GridDispatch } from './model.ts';

/** The rows, with the search above them and the details of the active row beside them. */
export function gridView(grid: Grid, act: GridDispatch): TemplateResult {
  const { find, areDetailsOpen } = grid.state;
  return html`${find === null ? nothing : findBar(grid, find, act)}
    <div class="gridArea">
      <margin-grid .grid=${grid} .act=${act}></margin-grid>
      ${areDetailsOpen ? detailsPane(grid, act) : nothing}
    </div>`;
}
