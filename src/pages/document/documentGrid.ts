import { html, nothing, type TemplateResult } from 'lit';
import { Display } from '../../base/display.ts';
import {
  type CellSelection,
  type ColumnLayout,
  type CopyRequest,
  type FieldCopy,
  type GridCommand,
  type RowOfPage,
} from '../../protocol/gridMessages.ts';
import type { GridRows, SavedGrid } from '../../protocol/documentRows.ts';
import type { ShownRows } from '../../protocol/table.ts';
import { detailsPane } from '../grid/detailsPane.ts';
import { findBar } from '../grid/findBar.ts';
import { followRecords, type KeyedPage } from '../grid/follow.ts';
import '../grid/element.ts';
import { activeRow, gridPositions, selectionOf } from '../grid/positions.ts';
import {
  gridViewOf,
  initialGrid,
  type FieldChoice,
  type GridAction,
  type GridState,
} from '../grid/state.ts';
import { selectionText } from '../grid/figures.ts';
import { changeGrid, commandAction } from '../table/state/gridActions.ts';
import type { GridDispatch, GridPage } from '../table/state/pageState.ts';
import type { GridTexts } from '../table/state/pageTexts.ts';

type DocumentGridOptions = {
  readonly table: GridPage['description']['table'];
  readonly texts: GridTexts;
  /** As an earlier page left it. */
  readonly saved: SavedGrid;
  readonly copy: (request: CopyRequest) => void;
  readonly copyField: (field: FieldCopy) => void;
  readonly keepLayout: (layout: ColumnLayout) => void;
  readonly draw: () => void;
  readonly save: () => void;
};

/** The grid of a document: its rows come with each document, and what the user did to it stays. */
export class DocumentGrid {
  private readonly options: DocumentGridOptions;
  private owner = '';
  private shown: KeyedPage | undefined;
  private extras: GridRows['extras'] = [];

  constructor(options: DocumentGridOptions) {
    this.options = options;
  }

  /** What to save of it. */
  get view(): SavedGrid {
    const grid = this.shown?.page.grid;
    return grid ? gridViewOf(grid) : this.options.saved;
  }

  /** The row of the active cell. */
  get active(): RowOfPage | null {
    const positions = this.shown && gridPositions(this.shown.page);
    return positions ? activeRow(positions) : null;
  }

  /** `owner` names the account: of another one, only the arrangement of the columns stays. */
  receive(title: string, rows: GridRows, owner: string): void {
    const before = owner === this.owner ? this.shown : undefined;
    const page = this.pageOf(title, rows, before?.page.grid ?? this.firstGrid(rows));
    const after = { page, keys: rows.keys };
    const grid = before ? followRecords(before, after) : page.grid;
    this.owner = owner;
    this.extras = rows.extras;
    this.shown = { ...after, page: { ...page, grid } };
  }

  readonly act = (action: GridAction): void => {
    if (!this.shown) return;
    const { draw, save, keepLayout } = this.options;
    const { layout: before } = this.shown.page.grid;
    const page = changeGrid(this.shown.page, action);
    this.shown = { ...this.shown, page };
    if (page.grid.layout !== before) keepLayout(page.grid.layout);
    if (action.kind === 'copyRequested') this.copy(action);
    if (action.kind === 'fieldCopyRequested') this.copyField(action.field);
    if (action.kind !== 'scrolled') draw();
    save();
  };

  copied(selection: CellSelection | null): void {
    this.act({ kind: 'copied', selection });
  }

  command(command: GridCommand): void {
    const action = this.shown && commandAction(command, this.shown.page);
    if (action) this.act(action);
  }

  /** The rows, with the search above them, the details beside them and what is selected below them. */
  template(): TemplateResult | typeof nothing {
    const { page } = this.shown ?? {};
    if (page?.body.kind !== 'rows') return nothing;
    const { shown } = page.body;
    const { find, areDetailsOpen } = page.grid;
    return html`${find === null ? nothing : findBar(page, find, this.dispatch)}
      <div class="gridArea">
        <margin-grid .state=${page} .shown=${shown} .dispatch=${this.dispatch}></margin-grid>
        ${areDetailsOpen ? detailsPane(this.withDetails(page), this.dispatch) : nothing}
      </div>
      <div class="selectionLine">${selectionText(page)}</div>
      <p class="spoken" role="status">${page.announcement}</p>`;
  }

  private readonly dispatch: GridDispatch = (action) => {
    if (action.kind === 'grid') this.act(action.action);
  };

  /** As an earlier page left it, without a selection and details that were of other rows. */
  private firstGrid({ pageId, layout }: GridRows): GridState {
    const arranged = this.shown?.page.grid.layout ?? layout;
    const initial = initialGrid({ layout: arranged, kept: null });
    const { saved } = this.options;
    if (!saved || this.shown) return initial;
    const { scroll, ...kept } = saved;
    const ofOtherRows = kept.pageId === pageId ? {} : { selection: [], areDetailsOpen: false };
    return {
      ...initial,
      ...kept,
      ...ofOtherRows,
      scroll: scroll && { ...scroll, pageId },
      pageId,
    };
  }

  /** The display stays the same object while its settings do: column widths depend on it. */
  private pageOf(title: string, rows: GridRows, grid: GridState): GridPage {
    const { page: before } = this.shown ?? {};
    const isSameDisplay = JSON.stringify(before?.display.settings) === JSON.stringify(rows.display);
    return {
      description: { table: this.options.table, title, columns: rows.columns, filters: [] },
      texts: this.options.texts,
      display: before && isSameDisplay ? before.display : new Display(rows.display),
      body: { kind: 'rows', shown: shownRowsOf(rows) },
      grid,
      actionError: '',
      announcement: before?.announcement ?? '',
    };
  }

  /** Each field is in the page: nothing is requested. */
  private withDetails(page: GridPage): GridPage {
    const positions = gridPositions(page);
    const row = positions && activeRow(positions);
    if (!row) return page;
    const cells = positions.page.rows[row.row] ?? [];
    const fields = page.description.columns.map((column, index) => ({
      ...column,
      cell: cells[index] ?? null,
    }));
    const value = { fields, extra: this.extras[row.row] ?? [], related: [], past: [] };
    const details = {
      row,
      display: page.display,
      details: { kind: 'loaded', value },
      related: {},
    } as const;
    return { ...page, grid: { ...page.grid, details } };
  }

  private copyField(field: FieldChoice): void {
    const positions = this.shown && gridPositions(this.shown.page);
    const row = positions && activeRow(positions);
    if (row) this.options.copyField({ ...row, ...field });
  }

  private copy({ format, isRows }: Extract<GridAction, { kind: 'copyRequested' }>): void {
    const positions = this.shown && gridPositions(this.shown.page);
    if (!positions || positions.active.row < 0) return;
    this.options.copy({ selection: selectionOf(positions, isRows), format });
  }
}

/** All of them are on one page. */
function shownRowsOf({ pageId, rows }: GridRows): ShownRows {
  const count = String(rows.length);
  return {
    query: { filters: {}, page: 0, size: rows.length },
    page: {
      id: pageId,
      readAt: pageId,
      rows,
      marks: [],
      startRow: null,
      summary: [],
      notes: [],
      omittedRows: 0,
      part: null,
      badRecords: [],
      size: count,
      totalPages: '1',
      totalElements: count,
    },
  };
}
