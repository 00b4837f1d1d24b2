import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { consumeEvent } from '../controls/controls.ts';
import { activeLink, copyCells, menuContext } from './commands.ts';
import { detailsPane } from './detailsPane.ts';
import { matchesOf, matchIds } from './find.ts';
import { findBar, focusFind } from './findBar.ts';
import { columnFits, isNarrowed, shownWidths, type ColumnFit, type Measure } from './fits.ts';
import { keyAction } from './keys.ts';
import { GridMouse, isOnLink } from './mouse.ts';
import { gridPositions, type GridPositions, type Grid, type GridDispatch } from './model.ts';
import {
  cellId,
  drawnPlaces,
  headView,
  rowHeight,
  rowsView,
  rowWindow,
  type RowWindow,
} from './rows.ts';
import { GridScroll, pinnedColumns } from './scroll.ts';

/**
 * A read-only ARIA grid with one tab stop, which draws only the rows near the visible ones. `grid` says
 * what is active and selected, and `act` gets what the user does; the element knows sizes and the scroll
 * position.
 */
class GridElement extends LitElement {
  static override properties = {
    grid: { attribute: false },
    act: { attribute: false },
    drawn: { state: true },
  };

  declare grid: Grid;
  declare act: GridDispatch;
  declare private drawn: RowWindow;
  private fits: readonly ColumnFit[] = [];
  private readonly measure = measureIn(this);
  private readonly scrolling = new GridScroll(this);
  private readonly resizes = new ResizeObserver(() => this.onResize());
  private readonly mouse = new GridMouse(this);

  constructor() {
    super();
    this.drawn = rowWindow(0, 0);
  }

  get positions(): GridPositions {
    return gridPositions(this.grid);
  }

  get fields(): readonly string[] {
    const { columns } = this.grid;
    return this.positions.order.columns.map((index) => columns[index]?.field ?? '');
  }

  get widths(): readonly number[] {
    return shownWidths(this.measure, this.grid, this.positions.order, this.fits);
  }

  private get pinned(): number {
    const { grid, positions, widths, scrolling } = this;
    return pinnedColumns(grid, positions, widths, scrolling.size.width);
  }

  readonly previewWidth = (column: number, width: number): void =>
    this.setWidths(this.widths.with(column, width));

  override connectedCallback(): void {
    super.connectedCallback();
    this.addEventListener('scroll', this.onScroll, { passive: true });
    this.resizes.observe(this);
    document.addEventListener('copy', this.onCopy);
    document.addEventListener('keydown', this.onFindKey);
  }

  override disconnectedCallback(): void {
    document.removeEventListener('copy', this.onCopy);
    document.removeEventListener('keydown', this.onFindKey);
    this.resizes.disconnect();
    super.disconnectedCallback();
  }

  protected override createRenderRoot(): this {
    return this;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('grid')) this.showGrid(changed.get('grid'));
    this.scrolling.followActive(this.grid.page.id, this.positions, this.widths, this.pinned);
    this.drawWindow();
  }

  private showGrid(before: Grid | undefined): void {
    const { columns, page, display, state } = this.grid;
    const isOtherDisplay = before !== undefined && before.display !== display;
    if (isOtherDisplay) this.fits = [];
    if (isOtherDisplay || before?.page !== page)
      this.fits = columnFits(columns, page.rows, display, this.measure, this.fits);
    if (!before) this.scrolling.read();
    if (before?.page.id !== page.id) this.scrolling.showPage(page.id, this.positions, state.scroll);
  }

  protected override render(): TemplateResult {
    const { grid, fits, mouse } = this;
    const { total = grid.page.rows.length } = grid;
    const { order, active } = this.positions;
    return html`<div
      role="grid"
      tabindex="0"
      aria-label=${grid.title}
      aria-readonly="true"
      aria-multiselectable="true"
      aria-busy=${grid.isBusy ? 'true' : 'false'}
      aria-rowcount=${total === null ? -1 : total + 1}
      aria-colcount=${order.columns.length}
      aria-activedescendant=${cellId(active)}
      data-vscode-context=${menuContext(grid)}
      @keydown=${this.onKeydown}
      @pointerdown=${mouse.onPointerdown}
      @dblclick=${mouse.onDblclick}
      @click=${(event: MouseEvent) => isOnLink(event) && this.followLink()}
      @mouseover=${mouse.onMouseover}
      @focus=${() => document.getSelection()?.removeAllRanges()}
    >
      ${headView(grid, order, fits)} ${this.rows()}
    </div>`;
  }

  /** Drawn again only if something that they show has changed. */
  private rows(): unknown {
    const { grid, fits } = this;
    const { columns, page, display, rowsBefore = 0 } = grid;
    const { order, active, selection } = this.positions;
    const matches = matchIds(matchesOf(grid));
    const places = drawnPlaces(this.drawn, order.rows.length, active.row);
    const look = { columns, page, order, fits, selection, matches, display, rowsBefore };
    return guard([...Object.values(look), places.join()], () =>
      rowsView({ ...look, hiddenWord: grid.texts.hidden }, places),
    );
  }

  protected override updated(): void {
    this.mouse.forgetTooltip();
    this.setWidths(this.widths);
    this.markActive();
    this.scrolling.apply();
  }

  /** Not in the template, so that the next active cell draws no other cell again. */
  private markActive(): void {
    for (const name of ['active', 'activeRow'])
      for (const marked of this.querySelectorAll(`.${name}`)) marked.classList.remove(name);
    const cell = this.querySelector(`#${cellId(this.positions.active)}`);
    cell?.classList.add('active');
    cell?.parentElement?.classList.add('activeRow');
  }

  /** Only the style changes: no cell is drawn again. */
  private setWidths(widths: readonly number[]): void {
    const columns = widths.map((width) => `${width}px`).join(' ');
    if (columns !== this.style.getPropertyValue('--columns'))
      this.style.setProperty('--columns', columns);
    this.toggleAttribute('data-narrowed', isNarrowed(widths, this.positions.order, this.fits));
    this.dataset.pinned = String(this.pinned);
    this.style.setProperty('--pinned', `${widths[0] ?? 0}px`);
  }

  private readonly onScroll = (): void => {
    this.scrolling.read();
    const { scrollTop: top, scrollLeft: left, grid } = this;
    this.toggleAttribute('data-scrolled', left !== 0);
    this.drawWindow();
    this.act({ kind: 'scrolled', scroll: { pageId: grid.page.id, top, left } });
  };

  private onResize(): void {
    this.scrolling.resize(this.positions, this.widths, this.pinned);
    this.setWidths(this.widths);
    this.drawWindow();
    this.scrolling.apply();
  }

  private drawWindow(): void {
    const { from, to } = this.scrolling.window();
    if (from !== this.drawn.from || to !== this.drawn.to) this.drawn = { from, to };
  }

  private readonly onKeydown = (event: KeyboardEvent): void => {
    const { fields, widths, clientHeight } = this;
    const { active, order } = this.positions;
    const isOpening = event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.repeat;
    if (isOpening && this.followLink()) {
      consumeEvent(event);
      return;
    }
    const pageRows = Math.max(1, Math.floor(clientHeight / rowHeight) - 2);
    const rows = order.rows.length;
    const action = keyAction(event, { active, rows, fields, widths, pageRows });
    if (!action) return;
    this.act(action);
    consumeEvent(event);
  };

  /** Returns whether the active cell has a link. */
  private followLink(): boolean {
    const link = activeLink(this.grid);
    if (link !== null) this.act({ kind: 'linkFollowed', link });
    return link !== null;
  }

  /** Wherever the focus is in the page. */
  private readonly onFindKey = (event: KeyboardEvent): void => {
    if (event.key.toLowerCase() !== 'f' || !(event.ctrlKey || event.metaKey)) return;
    if (event.shiftKey || event.altKey) return;
    consumeEvent(event);
    if (!focusFind()) this.act({ kind: 'findTyped', text: '' });
  };

  /** Desktop VS Code turns Ctrl+C into a `copy` event: no key event arrives. */
  private readonly onCopy = (event: ClipboardEvent): void => {
    if (!this.contains(document.activeElement) || !event.clipboardData) return;
    const { text, action } = copyCells(this.grid);
    consumeEvent(event);
    if (text !== undefined) event.clipboardData.setData('text/plain', text);
    this.act(action);
  };
}

/** Measures in the font of an element, as it is when the first text is measured. */
function measureIn(element: Element): Measure {
  let font = '';
  const context = document.createElement('canvas').getContext('2d');
  return (text, isBold) => {
    if (!context) return text.length * 8;
    if (font === '') {
      const { fontSize, fontFamily } = getComputedStyle(element);
      font = `${fontSize} ${fontFamily}`;
    }
    context.font = isBold ? `600 ${font}` : font;
    return context.measureText(text).width;
  };
}

customElements.define('margin-grid', GridElement);

/** The rows, with the search above them and the details of the active row beside them. */
export function gridView(grid: Grid, act: GridDispatch): TemplateResult {
  const { find, areDetailsOpen } = grid.state;
  return html`${find === null ? nothing : findBar(grid, find, act)}
    <div class="gridArea">
      <margin-grid .grid=${grid} .act=${act}></margin-grid>
      ${areDetailsOpen ? detailsPane(grid, act) : nothing}
    </div>`;
}
