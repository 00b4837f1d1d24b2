import type { RelatedName } from '../../../protocol/gridMessages.ts';
import type { RpcClient } from '../../../protocol/rpcClient.ts';
import type { TableEvents, TableMethods } from '../../../protocol/tableMessages.ts';
import { areSame, type Answer, type DetailsState } from '../../grid/details.ts';
import { activeRow, gridPositions, selectionOf, type GridAction } from '../../grid/model.ts';
import { pagerOfState } from './pager.ts';
import type { Action, Dispatch, OpenState, PageState } from './pageState.ts';
import { gridOf } from './tableGrid.ts';

export type TableClient = Pick<RpcClient<TableMethods, TableEvents>, 'request'>;

type SideRequestsOptions = {
  readonly client: TableClient;
  readonly dispatch: Dispatch;
  /** Why a request failed, in a sentence. */
  readonly sentenceFor: (error: unknown) => string;
};

/** The requests that follow from actions, beside the one for rows: neither waits for the other. */
export class SideRequests {
  private readonly options: SideRequestsOptions;

  constructor(options: SideRequestsOptions) {
    this.options = options;
  }

  /** Called after each action, with the state before and after it. */
  run(before: PageState, state: PageState, action: Action, gridAction: GridAction | null): void {
    if (action.kind === 'signInHelpChosen') this.send('table/signIn', action.action);
    if (state.kind !== 'open') return;
    this.runAction(state, action);
    if (before.kind === 'open' && before.grid.layout !== state.grid.layout)
      this.send('grid/layout', state.grid.layout);
    if (gridAction) this.runGridAction(state, gridAction);
    this.followActiveRow(state);
  }

  send<Name extends keyof TableMethods>(name: Name, params: TableMethods[Name]['params']): void {
    this.options.client.request(name, params).catch((error: unknown) => this.fail(error));
  }

  fail(error: unknown): void {
    const { dispatch, sentenceFor } = this.options;
    dispatch({ kind: 'actionFailed', sentence: sentenceFor(error) });
  }

  private runAction(state: OpenState, action: Action): void {
    if (action.kind === 'sourceChosen') this.send('table/source', action.source);
    if (action.kind === 'exportRequested') this.send('table/export', state.query.filters);
    if (action.kind === 'weightRequested') void this.requestWeight();
    if (action.kind === 'rowsReceived') this.prefetchNext(state);
  }

  /** A page that comes back with rows that were kept requests nothing. */
  private prefetchNext(state: OpenState): void {
    const { next } = pagerOfState(state);
    if (next !== null) this.send('table/prefetch', { ...state.query, page: next });
  }

  /** The tooltip of a button: without an answer it stays as it is. */
  private async requestWeight(): Promise<void> {
    const { client, dispatch } = this.options;
    const text = await client.request('table/weight', null).catch(() => '');
    dispatch({ kind: 'weightReceived', text });
  }

  private runGridAction(state: OpenState, action: GridAction): void {
    const grid = gridOf(state);
    const { details } = state.grid;
    const row = activeRow(grid);
    if (action.kind === 'copyRequested' && gridPositions(grid).active.row >= 0)
      this.send('grid/copy', {
        selection: selectionOf(grid, action.isRows),
        format: action.format,
      });
    if (action.kind === 'tradesRequested' && row) this.send('table/openTrades', row);
    if (action.kind === 'linkFollowed') this.send('table/openLink', action.link);
    if (action.kind === 'fieldCopyRequested' && details)
      this.send('grid/copyField', { ...details.row, ...action.field });
    if (action.kind === 'relatedRequested' && details) this.findRelated(details, action.name);
  }

  /** Open details are those of the active row, masked as the page is now. */
  private followActiveRow(state: OpenState): void {
    const { grid, display } = state;
    const row = grid.areDetailsOpen ? activeRow(gridOf(state)) : null;
    if (!row || areSame(grid.details, { row, display })) return;
    this.act({ kind: 'detailsRequested', row, display });
    const of: DetailsState = { row, display, details: { kind: 'loading' }, related: {} };
    const request = this.options.client.request('table/details', row);
    void this.answer(of, request, (details) => ({ details }));
  }

  private findRelated(of: DetailsState, name: RelatedName): void {
    const params = { ...of.row, related: name };
    const request = this.options.client.request('table/related', params);
    void this.answer(of, request, (related) => ({ related: { [name]: related } }));
  }

  private async answer<Value>(
    of: DetailsState,
    request: Promise<Value>,
    partOf: (answer: Answer<Value>) => Partial<DetailsState>,
  ): Promise<void> {
    const answer = await request.then(
      (value) => ({ kind: 'loaded', value }) as const,
      (error: unknown) => ({ kind: 'failed', sentence: this.options.sentenceFor(error) }) as const,
    );
    this.act({ kind: 'detailsAnswered', of, answer: partOf(answer) });
  }

  private act(action: GridAction): void {
    this.options.dispatch({ kind: 'grid', action });
  }
}
