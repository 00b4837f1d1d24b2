import { html, LitElement, type PropertyValues, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import type { Display } from '../../../base/display.ts';
import type { Column, GridView, ShownRows } from '../../../protocol/table.ts';
import type { Dispatch } from '../state/pageState.ts';
import { rowsBefore, rowTotal } from '../state/pager.ts';
import { consumeEvent } from '../view/controls.ts';
import { copiedCell } from './gridCells.ts';
import { clampPosition, moveByKey, type CellPosition, type GridExtent } from './gridKeys.ts';
import {
  cellAt,
  cellId,
  headView,
  isLink,
  isOnLink,
  pageRowsOf,
  positionOf,
  rowsView,
  showBothZones,
} from './gridRows.ts';

/** How many rows the first frame draws. */
const firstFrameRows = 60;

/**
 * A read-only ARIA grid with one tab stop. Keys move through the header and the cells, Enter or a
 * click follows a link, and a copy takes the exchange's own text of the active cell.
 */
class Grid extends LitElement {
  static override properties = {
    label: { attribute: false },
    columns: { attribute: false },
    display: { attribute: false },
    shown: { attribute: false },
    busy: { attribute: false },
    hiddenWord: { attribute: false },
    view: { attribute: false },
    dispatch: { attribute: false },
    active: { state: true },
    drawnRows: { state: true },
  };

  declare label: string;
  declare columns: readonly Column[];
  declare display: Display;
  declare shown: ShownRows;
  declare busy: boolean;
  /** The accessible name of a masked cell. */
  declare hiddenWord: string;
  /** Where a new page starts; null for its first row. */
  declare view: GridView | null;
  declare dispatch: Dispatch;
  declare private active: CellPosition;
  declare private drawnRows: number;
  private reported: GridView | undefined;

  constructor() {
    super();
    this.active = { row: 0, column: 0 };
    this.drawnRows = firstFrameRows;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.addEventListener('scroll', this.reportView);
    document.addEventListener('copy', this.onCopy);
  }

  override disconnectedCallback(): void {
    document.removeEventListener('copy', this.onCopy);
    this.removeEventListener('scroll', this.reportView);
    super.disconnectedCallback();
  }

  protected override createRenderRoot(): this {
    return this;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const isNewPage = this.isNewPage(changed);
    // A scroll position further down needs the rows above it.
    if (isNewPage) this.drawnRows = this.view ? Infinity : firstFrameRows;
    if (isNewPage || changed.has('columns'))
      this.active = clampPosition(
        this.view ?? { row: this.startRow, column: this.active.column },
        this.extent(),
      );
  }

  protected override render(): TemplateResult {
    const { columns, shown, drawnRows, display, hiddenWord } = this;
    const { query, page } = shown;
    const total = rowTotal(query, page);
    return html`<table
      role="grid"
      tabindex="0"
      aria-label=${this.label}
      aria-readonly="true"
      aria-busy=${this.busy ? 'true' : 'false'}
      aria-rowcount=${total === null ? -1 : total + 1}
      aria-colcount=${columns.length}
      aria-activedescendant=${cellId(this.active)}
      @keydown=${(event: KeyboardEvent) => this.onKeydown(event)}
      @mousedown=${(event: MouseEvent) => this.onMousedown(event)}
      @click=${(event: MouseEvent) => isOnLink(event) && this.followLink()}
      @mouseover=${(event: MouseEvent) => showBothZones(event, columns, page.rows, display)}
      @focus=${() => this.onFocus()}
    >
      ${guard([columns], () => headView(columns))}
      ${guard([columns, shown, drawnRows, display], () => {
        const drawn = { ...page, rows: page.rows.slice(0, drawnRows) };
        return rowsView(columns, drawn, rowsBefore(query, page), { display, hiddenWord });
      })}
    </table>`;
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (this.isNewPage(changed)) {
      this.scrollTo({ top: 0, ...this.view });
      if (!this.view && this.startRow > 0) this.scrollToActive();
    }
    this.reportView();
    // A frame callback runs before the paint, and a timer that it sets runs after it.
    if (this.drawnRows < this.shown.page.rows.length)
      requestAnimationFrame(() => setTimeout(() => (this.drawnRows = Infinity)));
    for (const cell of this.querySelectorAll('.active')) cell.classList.remove('active');
    this.activeCell()?.classList.add('active');
  }

  /** The same page can come again, redrawn for other display settings: then the active cell stays. */
  private isNewPage(changed: PropertyValues<this>): boolean {
    return changed.has('shown') && changed.get('shown')?.page.id !== this.shown.page.id;
  }

  private extent(): GridExtent {
    const { rows } = this.shown.page;
    return { rows: rows.length, columns: this.columns.length, pageRows: pageRowsOf(this) };
  }

  /** The requested row, else the first marked row, else the first row. */
  private get startRow(): number {
    const { startRow, marks } = this.shown.page;
    return startRow ?? marks[0]?.row ?? 0;
  }

  private activeCell(): Element | null {
    return this.querySelector(`#${cellId(this.active)}`);
  }

  private scrollToActive(): void {
    this.activeCell()?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }

  private readonly reportView = (): void => {
    const { scrollTop: top, scrollLeft: left, active, reported } = this;
    const view: GridView = { top, left, ...active };
    if (JSON.stringify(view) === JSON.stringify(reported)) return;
    this.reported = view;
    this.dispatch({ kind: 'gridMoved', view });
  };

  private onKeydown(event: KeyboardEvent): void {
    if (event.key === 'Enter' && !event.repeat && this.followLink()) {
      consumeEvent(event);
      return;
    }
    const next = moveByKey(event, this.active, this.extent());
    if (!next) return;
    consumeEvent(event);
    this.active = next;
    this.scrollToActive();
  }

  /** Makes the cell active: a click then follows the link of the active cell. */
  private onMousedown(event: MouseEvent): void {
    const cell = cellAt(event);
    if (!cell) return;
    this.active = positionOf(cell);
    if (!isOnLink(event)) return;
    // The focus stays on the grid, not on the link's button.
    event.preventDefault();
    this.querySelector('table')?.focus();
  }

  /** Returns whether the active cell has a link. */
  private followLink(): boolean {
    const { row, column } = this.active;
    const link = this.shown.page.rows[row]?.[column];
    if (this.columns[column]?.kind !== 'link' || !isLink(link)) return false;
    this.dispatch({ kind: 'linkFollowed', link });
    return true;
  }

  /** A text selection elsewhere would be copied instead of the active cell. */
  private onFocus(): void {
    document.getSelection()?.removeAllRanges();
    this.scrollToActive();
  }

  /** Desktop VS Code turns Ctrl+C into a `copy` event: no key event arrives. */
  private readonly onCopy = (event: ClipboardEvent): void => {
    if (!this.contains(document.activeElement)) return;
    const { active, columns, display, shown } = this;
    const { page } = shown;
    const copied = copiedCell(active, columns, page.rows, display);
    if (copied.kind === 'none' || !event.clipboardData) return;
    consumeEvent(event);
    if (copied.kind === 'text') {
      event.clipboardData.setData('text/plain', copied.text);
      this.dispatch({ kind: 'cellCopied' });
    } else this.dispatch({ kind: 'maskedCellCopied', cell: { pageId: page.id, ...active } });
  };
}

customElements.define('margin-grid', Grid);
