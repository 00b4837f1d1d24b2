import { html, LitElement, type PropertyValues, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import type { Display } from '../../../base/display.ts';
import type { Cell, Column, TablePage } from '../../../protocol/table.ts';
import { copiedCell } from '../copiedCell.ts';
import { moveBy, within, type Extent, type Position } from '../gridKeys.ts';
import { take, type Dispatch } from './dispatch.ts';
import { cellUnder, isOnLink, positionOf, tellBothZones } from './gridPointer.ts';
import { cellId, headView, isLink, rowsView } from './gridRows.ts';

const screenful = 60;

/**
 * A read-only ARIA grid: one tab stop, a keyboard that walks header and cells, a copy of the active
 * cell as the wire wrote it (one that is masked is asked of the host), and Enter or a click that follows a link.
 */
class Grid extends LitElement {
  static override properties = {
    label: { attribute: false },
    columns: { attribute: false },
    display: { attribute: false },
    pageNumber: { attribute: false },
    rows: { attribute: false },
    marks: { attribute: false },
    startRow: { attribute: false },
    firstRow: { attribute: false },
    rowTotal: { attribute: false },
    busy: { attribute: false },
    hiddenWord: { attribute: false },
    dispatch: { attribute: false },
    active: { state: true },
    drawn: { state: true },
  };

  declare label: string;
  declare columns: readonly Column[];
  declare display: Display;
  /** The same number with other rows: the same page in another look. */
  declare pageNumber: number;
  declare rows: readonly (readonly Cell[])[];
  declare marks: TablePage['marks'];
  declare startRow: TablePage['startRow'];
  /** How many rows of the query stand before these. */
  declare firstRow: number;
  /** All rows of the query; null where that is unknown. */
  declare rowTotal: number | null;
  declare busy: boolean;
  /** What a screen reader says of a masked cell. */
  declare hiddenWord: string;
  declare dispatch: Dispatch;
  declare private active: Position;
  /** How many rows are drawn: a screenful first, the rest a frame later. */
  declare private drawn: number;

  constructor() {
    super();
    this.active = { row: 0, column: 0 };
    this.drawn = screenful;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener('copy', this.onCopy);
  }

  override disconnectedCallback(): void {
    document.removeEventListener('copy', this.onCopy);
    super.disconnectedCallback();
  }

  protected override createRenderRoot(): this {
    return this;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('pageNumber')) this.drawn = screenful;
    if (changed.has('pageNumber') || changed.has('columns'))
      this.active = within({ row: this.shownFirst, column: this.active.column }, this.extent());
  }

  protected override render(): TemplateResult {
    const { columns, rows, marks, startRow, firstRow, drawn, display, hiddenWord } = this;
    return html`<table
      role="grid"
      tabindex="0"
      aria-label=${this.label}
      aria-readonly="true"
      aria-busy=${this.busy ? 'true' : 'false'}
      aria-rowcount=${this.rowTotal === null ? -1 : this.rowTotal + 1}
      aria-colcount=${columns.length}
      aria-activedescendant=${cellId(this.active)}
      @keydown=${(event: KeyboardEvent) => this.onKeydown(event)}
      @mousedown=${(event: MouseEvent) => this.onMousedown(event)}
      @click=${(event: MouseEvent) => this.onClick(event)}
      @mouseover=${(event: MouseEvent) => tellBothZones(event, columns, rows, display)}
      @focus=${() => this.onFocus()}
    >
      ${guard([columns], () => headView(columns))}
      ${guard([columns, rows, marks, startRow, firstRow, drawn, display], () =>
        rowsView(columns, { rows: rows.slice(0, drawn), marks, startRow }, firstRow, {
          display,
          hiddenWord,
        }),
      )}
    </table>`;
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has('pageNumber')) this.showFirst();
    if (this.drawn < this.rows.length) afterPaint(() => (this.drawn = Infinity));
    for (const cell of this.querySelectorAll('.active')) cell.classList.remove('active');
    this.activeCell()?.classList.add('active');
  }

  private extent(): Extent {
    const header = this.querySelector('thead')?.offsetHeight ?? 0;
    const rowHeight = this.querySelector('tbody tr')?.clientHeight ?? header;
    const pageRows = Math.max(1, Math.floor((this.clientHeight - header) / (rowHeight || 1)) - 1);
    return { rows: this.rows.length, columns: this.columns.length, pageRows };
  }

  /** The row that was asked for, else the first that stands out, else the top. */
  private get shownFirst(): number {
    return this.startRow ?? this.marks[0]?.row ?? 0;
  }

  private showFirst(): void {
    this.scrollTo({ top: 0 });
    if (this.shownFirst > 0) this.showActive();
  }

  private activeCell(): Element | null {
    return this.querySelector(`#${cellId(this.active)}`);
  }

  private showActive(): void {
    this.activeCell()?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }

  private onKeydown(event: KeyboardEvent): void {
    if (event.key === 'Enter' && !event.repeat && this.followActive()) {
      take(event);
      return;
    }
    const next = moveBy(event, this.active, this.extent());
    if (!next) return;
    take(event);
    this.active = next;
    this.showActive();
  }

  private onMousedown(event: MouseEvent): void {
    const cell = cellUnder(event);
    if (!cell) return;
    this.active = positionOf(cell);
    if (!isOnLink(event)) return;
    // The focus stays with the grid, whose active cell it is.
    event.preventDefault();
    this.querySelector('table')?.focus();
  }

  /** The press has made the link's cell the active one. */
  private onClick(event: MouseEvent): void {
    if (isOnLink(event)) this.followActive();
  }

  private followActive(): boolean {
    const { row, column } = this.active;
    const cell = this.rows[row]?.[column];
    if (this.columns[column]?.kind !== 'link' || !isLink(cell)) return false;
    this.dispatch({ kind: 'followedLink', link: cell });
    return true;
  }

  /** What is selected elsewhere would be copied in the cell's stead. */
  private onFocus(): void {
    document.getSelection()?.removeAllRanges();
    this.showActive();
  }

  /** A `copy` event, as desktop VS Code turns Ctrl+C into one and no key arrives. */
  private readonly onCopy = (event: ClipboardEvent): void => {
    if (!this.contains(document.activeElement)) return;
    const { active, columns, rows, display, pageNumber: page } = this;
    const copied = copiedCell(active, columns, rows, display);
    if (copied.kind === 'nothing' || !event.clipboardData) return;
    take(event);
    if (copied.kind === 'masked') {
      this.dispatch({ kind: 'copiedMasked', cell: { page, ...active } });
      return;
    }
    event.clipboardData.setData('text/plain', copied.text);
    this.dispatch({ kind: 'copied' });
  };
}

/** A frame's callbacks run before it is painted, a timer set in one after. */
function afterPaint(run: () => void): void {
  requestAnimationFrame(() => setTimeout(run));
}

customElements.define('margin-grid', Grid);
