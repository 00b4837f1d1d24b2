import { html, nothing, type TemplateResult } from 'lit';
import type { Display } from '../../base/display.ts';
import type { GridRows } from '../../protocol/document.ts';
import type { GridView, GridCommand, RowOfPage } from '../../protocol/gridMessages.ts';
import { askHost, commandAction } from '../grid/commands.ts';
import { selectionText } from '../grid/figures.ts';
import { followRecords } from '../grid/follow.ts';
import { gridView } from '../grid/element.ts';
import {
  activeRow,
  cellAt,
  gridViewOf,
  initialGrid,
  type Grid,
  type GridAction,
  type GridState,
} from '../grid/model.ts';
import { announcementOf, reduceGrid } from '../grid/reducer.ts';
import type { GridTexts } from '../grid/texts.ts';

type DocumentGridOptions = {
  /** For the menus of VS Code. */
  readonly name: string;
  readonly texts: GridTexts;
  /** As an earlier page left it. */
  readonly saved: GridView | undefined;
  readonly send: Parameters<typeof askHost>[0];
  readonly draw: () => void;
  readonly save: () => void;
};

/** The grid of a document: its rows come with each document, and what the user did to it stays. */
export class DocumentGrid {
  private readonly options: DocumentGridOptions;
  private owner = '';
  private shown: Grid | undefined;
  private extras: GridRows['extras'] = [];
  private announcement = '';

  constructor(options: DocumentGridOptions) {
    this.options = options;
  }

  /** What to save of it. */
  get view(): GridView | undefined {
    return this.shown ? gridViewOf(this.shown.state) : this.options.saved;
  }

  /** The row of the active cell. */
  get active(): RowOfPage | null {
    return this.shown ? activeRow(this.shown) : null;
  }

  /** `owner` names the account: of another one, only the arrangement of the columns stays. */
  receive(title: string, content: GridRows, display: Display, owner: string): void {
    const before = owner === this.owner ? this.shown : undefined;
    const state = before?.state ?? this.firstState(content);
    const { pageId: id, keys, columns } = content;
    const { name, texts } = this.options;
    // All rows are on one page.
    const page = { id, rows: content.rows };
    const grid = { name, title, columns, page, keys: () => keys, display, texts, state };
    this.owner = owner;
    this.extras = content.extras;
    this.shown = before ? { ...grid, state: followRecords(before, grid) } : grid;
  }

  readonly act = (action: GridAction): void => {
    if (!this.shown) return;
    const before = this.shown;
    const { draw, save, send } = this.options;
    const grid = { ...before, state: reduceGrid(before, action) };
    this.shown = grid;
    this.announcement = announcementOf(grid, action) ?? this.announcement;
    askHost(send, before.state, grid, action);
    if (action.kind !== 'scrolled') draw();
    save();
  };

  command(command: GridCommand): void {
    const action = this.shown && commandAction(command, this.shown);
    if (action) this.act(action);
  }

  /** The grid, with what is selected below it. */
  template(): TemplateResult | typeof nothing {
    const grid = this.shown;
    if (!grid) return nothing;
    return html`${gridView(this.withDetails(grid), this.act)}
      <div class="selectionLine">${selectionText(grid)}</div>
      <p class="spoken" role="status">${this.announcement}</p>`;
  }

  /** As an earlier page left it, without a selection and details that were of other rows. */
  private firstState({ pageId, layout }: GridRows): GridState {
    const arranged = this.shown?.state.layout ?? layout;
    const { saved } = this.options;
    if (!saved || this.shown) return initialGrid(arranged);
    const ofOtherRows = saved.pageId === pageId ? {} : { selection: [], areDetailsOpen: false };
    const scroll = saved.scroll && { ...saved.scroll, pageId };
    return initialGrid(arranged, { ...saved, ...ofOtherRows, scroll, pageId });
  }

  /** Each field is in the page: nothing is requested. */
  private withDetails(grid: Grid): Grid {
    const row = activeRow(grid);
    if (!row) return grid;
    const { cells } = cellAt(grid);
    const fields = grid.columns.map((column, index) => ({ ...column, cell: cells[index] ?? null }));
    const value = { fields, extra: this.extras[row.row] ?? [] };
    return { ...grid, details: { kind: 'loaded', value } };
  }
}
