import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import type { ShownRows } from '../../protocol/table.ts';
import { shownSort } from '../table/state/ledgerActions.ts';
import { rowsBefore, rowTotal } from '../table/state/pager.ts';
import type { GridDispatch, GridPage } from '../table/state/pageState.ts';
import { consumeEvent } from '../controls/controls.ts';
import { columnFits, isNarrowed, shownWidths, type ColumnFit } from './fits.ts';
import { matchIds } from './find.ts';
import { focusFind } from './focus.ts';
import { GridScroll, measureIn } from './scroll.ts';
import {
  activeLink,
  CellTooltip,
  copyCells,
  menuContext,
  pressKey,
  type InputTarget,
} from './input.ts';
import { GridMouse } from './mouse.ts';
import { isOnLink } from './pointer.ts';
import { gridPositions, type GridPositions } from './positions.ts';
import { headView, cellId, rowsView, drawnPlaces, rowWindow, type RowWindow } from './rows.ts';
import type { GridAction } from './state.ts';

/**
 * A read-only ARIA grid with one tab stop, which draws only the rows near the visible ones. The state of
 * the page says what is active and selected; the element knows sizes and the scroll position.
 */
class Grid extends LitElement {
  static override properties = {
    state: { attribute: false },
    shown: { attribute: false },
    dispatch: { attribute: false },
    drawn: { state: true },
  };

  declare state: GridPage;
  declare shown: ShownRows;
  declare dispatch: GridDispatch;
  declare private drawn: RowWindow;
  private fits: readonly ColumnFit[] = [];
  private readonly measure = measureIn(this);
  private drawnColumns = '';
  private readonly tooltip = new CellTooltip();
  private readonly scrolling = new GridScroll(this);
  private readonly resizes = new ResizeObserver(() => this.onResize());
  private readonly target: InputTarget = {
    element: this,
    positions: () => gridPositions(this.state),
    widths: () => this.widths(),
    fieldAt: (column) => this.fieldAt(column),
    dispatch: (action) => this.act(action),
    previewWidth: (column, width) => this.setWidths(this.widths().with(column, width)),
  };
  private readonly mouse = new GridMouse(this.target);

  constructor() {
    super();
    this.drawn = rowWindow(0, 0);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.addEventListener('scroll', this.onScroll, { passive: true });
    this.addEventListener('pointermove', this.mouse.onPointermove);
    this.addEventListener('pointerup', this.mouse.onPointerup);
    this.addEventListener('pointercancel', this.mouse.onPointerup);
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
    const { description, display } = this.state;
    const { rows } = this.shown.page;
    const { display: before = display } = changed.get('state') ?? {};
    const fits = before === display ? this.fits : [];
    if (changed.has('shown') || before !== display)
      this.fits = columnFits(description.columns, rows, display, this.measure, fits);
    this.placeRows(changed);
  }

  private placeRows(changed: PropertyValues<this>): void {
    const positions = gridPositions(this.state);
    if (!positions) return;
    if (!this.hasUpdated) this.scrolling.read();
    const isOtherPage = changed.has('shown') && changed.get('shown')?.page.id !== positions.page.id;
    if (isOtherPage) this.scrolling.showPage(positions, this.state.grid.scroll);
    this.scrolling.followActive(positions, this.widths());
    this.drawWindow();
  }

  protected override render(): TemplateResult | typeof nothing {
    const { state, shown } = this;
    const positions = gridPositions(state);
    if (!positions) return nothing;
    const { order, active } = positions;
    const { columns, title } = state.description;
    const total = rowTotal(shown.query, shown.page);
    return html`<div
      role="grid"
      tabindex="0"
      aria-label=${title}
      aria-readonly="true"
      aria-multiselectable="true"
      aria-busy=${state.body.kind === 'loading' ? 'true' : 'false'}
      aria-rowcount=${total === null ? -1 : total + 1}
      aria-colcount=${order.columns.length}
      aria-activedescendant=${cellId(active)}
      data-vscode-context=${menuContext(state, positions)}
      @keydown=${(event: KeyboardEvent) => this.onKeydown(event, positions)}
      @pointerdown=${this.mouse.onPointerdown}
      @dblclick=${this.mouse.onDblclick}
      @click=${(event: MouseEvent) => isOnLink(event) && this.followLink(positions)}
      @mouseover=${(event: MouseEvent) => this.tooltip.show(event, state, positions)}
      @focus=${() => document.getSelection()?.removeAllRanges()}
    >
      ${headView(columns, order, this.fits, shownSort(state), state.texts)} ${this.rows(positions)}
    </div>`;
  }

  private rows(positions: GridPositions): unknown {
    const { state, shown, fits } = this;
    const { page, order, active, selection } = positions;
    const { columns } = state.description;
    const { display, texts } = state;
    const matches = matchIds(state, positions);
    const places = drawnPlaces(this.drawn, order.rows.length, active.row);
    const look = { columns, page, order, fits, selection, matches, display };
    return guard([...Object.values(look), places.join()], () =>
      rowsView(
        { ...look, hiddenWord: texts.hidden, firstRow: rowsBefore(shown.query, page) },
        places,
      ),
    );
  }

  protected override updated(): void {
    this.tooltip.forget();
    this.setWidths(this.widths());
    const positions = gridPositions(this.state);
    if (!positions) return;
    this.markActive(positions);
    this.scrolling.apply();
  }

  /** Not in the template, so that the next active cell draws no other cell again. */
  private markActive({ active }: GridPositions): void {
    for (const name of ['active', 'activeRow'])
      for (const marked of this.querySelectorAll(`.${name}`)) marked.classList.remove(name);
    const cell = this.querySelector(`#${cellId(active)}`);
    cell?.classList.add('active');
    cell?.parentElement?.classList.add('activeRow');
  }

  private widths(): readonly number[] {
    const positions = gridPositions(this.state);
    return positions ? shownWidths(this.measure, this.state, positions.order, this.fits) : [];
  }

  /** Only the style changes: no cell is drawn again. */
  private setWidths(widths: readonly number[]): void {
    const columns = widths.map((width) => `${width}px`).join(' ');
    if (columns !== this.drawnColumns) this.style.setProperty('--columns', columns);
    this.drawnColumns = columns;
    const order = gridPositions(this.state)?.order;
    this.toggleAttribute(
      'data-narrowed',
      order !== undefined && isNarrowed(widths, order, this.fits),
    );
  }

  private fieldAt(column: number): string {
    const index = gridPositions(this.state)?.order.columns[column] ?? -1;
    return this.state.description.columns[index]?.field ?? '';
  }

  private act(action: GridAction): void {
    this.dispatch({ kind: 'grid', action });
  }

  private readonly onScroll = (): void => {
    this.updateWindow();
    const { scrollTop: top, scrollLeft: left, shown } = this;
    this.act({ kind: 'scrolled', scroll: { pageId: shown.page.id, top, left } });
  };

  private readonly updateWindow = (): void => {
    this.scrolling.read();
    this.toggleAttribute('data-scrolled', this.scrollLeft !== 0);
    this.drawWindow();
  };

  private onResize(): void {
    const positions = gridPositions(this.state);
    if (positions) this.scrolling.resize(positions, this.widths());
    this.drawWindow();
    this.scrolling.apply();
  }

  private drawWindow(): void {
    const { from, to } = this.scrolling.window();
    if (from !== this.drawn.from || to !== this.drawn.to) this.drawn = { from, to };
  }

  private onKeydown(event: KeyboardEvent, positions: GridPositions): void {
    const isOpening = event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.repeat;
    if ((isOpening && this.followLink(positions)) || pressKey(event, positions, this.target))
      consumeEvent(event);
  }

  /** Returns whether the active cell has a link. */
  private followLink(positions: GridPositions): boolean {
    const link = activeLink(this.state, positions);
    if (link !== null) this.dispatch({ kind: 'linkFollowed', link });
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
    if (!this.contains(document.activeElement)) return;
    const positions = gridPositions(this.state);
    if (!positions || !event.clipboardData) return;
    const copied = copyCells(this.state, positions);
    consumeEvent(event);
    if (copied.text !== undefined) event.clipboardData.setData('text/plain', copied.text);
    this.act(copied.action);
  };
}

customElements.define('margin-grid', Grid);
