import type { RelatedName } from '../../../protocol/gridMessages.ts';
import type { RpcClient } from '../../../protocol/rpcClient.ts';
import type { TableEvents, TableMethods } from '../../../protocol/tableMessages.ts';
import { areSame, type DetailsState } from '../details/detailsState.ts';
import { activeRow, gridPositions, selectionOf } from '../grid/gridPositions.ts';
import type { GridAction } from '../grid/gridState.ts';
import type { Dispatch, OpenState, PageState } from './pageState.ts';

type GridEffectsOptions = {
  readonly client: Pick<RpcClient<TableMethods, TableEvents>, 'request'>;
  readonly dispatch: Dispatch;
  /** Why a request failed, in a sentence. */
  readonly sentenceFor: (error: unknown) => string;
};

/** The requests that follow from actions on the grid. They leave the request for rows alone. */
export class GridEffects {
  private readonly options: GridEffectsOptions;

  constructor(options: GridEffectsOptions) {
    this.options = options;
  }

  /** Called after each action, with the state before and after it. */
  run(before: PageState, state: PageState, action: GridAction | null): void {
    if (state.kind !== 'open') return;
    if (before.kind === 'open' && before.grid.layout !== state.grid.layout)
      this.send('table/layout', state.grid.layout);
    if (action) this.runAction(state, action);
    this.followActiveRow(state);
  }

  private runAction(state: OpenState, action: GridAction): void {
    const positions = gridPositions(state);
    const { details } = state.grid;
    if (action.kind === 'copyRequested') {
      if (!positions || positions.active.row < 0) return;
      const selection = selectionOf(positions, action.isRows);
      this.send('table/copy', { selection, format: action.format });
    } else if (action.kind === 'tradesRequested') {
      const row = positions && activeRow(positions);
      if (row) this.send('table/openTrades', row);
    } else if (!details) return;
    else if (action.kind === 'fieldCopyRequested')
      this.send('table/copyField', { ...details.row, ...action.field });
    else if (action.kind === 'relatedRequested') this.findRelated(details, action.name);
  }

  /** Open details are those of the active row, masked as the page is now. */
  private followActiveRow(state: OpenState): void {
    const { grid, display } = state;
    const positions = grid.areDetailsOpen ? gridPositions(state) : null;
    const row = positions && activeRow(positions);
    if (!row || areSame(grid.details, { row, display })) return;
    this.act({ kind: 'detailsRequested', row, display });
    const of: DetailsState = { row, display, details: { kind: 'loading' }, related: {} };
    this.options.client.request('table/details', row).then(
      (value) => this.act({ kind: 'detailsAnswered', of, details: { kind: 'loaded', value } }),
      (error: unknown) => {
        const details = { kind: 'failed', sentence: this.options.sentenceFor(error) } as const;
        this.act({ kind: 'detailsAnswered', of, details });
      },
    );
  }

  private findRelated(of: DetailsState, name: RelatedName): void {
    this.options.client.request('table/related', { ...of.row, related: name }).then(
      (value) =>
        this.act({ kind: 'relatedAnswered', of, name, related: { kind: 'loaded', value } }),
      (error: unknown) => {
        const related = { kind: 'failed', sentence: this.options.sentenceFor(error) } as const;
        this.act({ kind: 'relatedAnswered', of, name, related });
      },
    );
  }

  private send<Name extends 'table/copy' | 'table/copyField' | 'table/openTrades' | 'table/layout'>(
    name: Name,
    params: TableMethods[Name]['params'],
  ): void {
    this.options.client.request(name, params).catch((error: unknown) => {
      const sentence = this.options.sentenceFor(error);
      this.options.dispatch({ kind: 'actionFailed', sentence });
    });
  }

  private act(action: GridAction): void {
    this.options.dispatch({ kind: 'grid', action });
  }
}
