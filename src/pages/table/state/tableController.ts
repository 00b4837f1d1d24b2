import { DeadlineExceeded } from '../../../base/abort.ts';
import type { RpcClient } from '../../../base/rpc.ts';
import { dayMs, steadyTimeOf, type Clock } from '../../../base/time.ts';
import { lastDays } from '../../../base/timeZone.ts';
import { RpcError, type RpcFailure } from '../../../protocol/messages.ts';
import type {
  TableDescription,
  TableEvents,
  TableMethods,
  TablePage,
} from '../../../protocol/table.ts';
import { isSameQuery, startOf } from '../../../protocol/tableQuery.ts';
import {
  failureOf,
  searchParameter,
  type Action,
  type DetailsOwner,
  type DetailsState,
  type PageState,
  type RequestKind,
  type OpenState,
} from './pageState.ts';
import type { PageTexts } from './pageTexts.ts';
import { pageViewOf } from './receivedRows.ts';
import { reduce } from './reducer.ts';
import { gridOf, pagerOf } from './shownRows.ts';
import { askHost, commandAction } from '../../grid/commands.ts';
import type { GridCommand } from '../../../protocol/gridMessages.ts';
import { activeRow, type Answer } from '../../grid/model.ts';
import { areSame } from './details.ts';
import { ledgerStartSize } from '../../../protocol/values.ts';

type TableControllerOptions = {
  readonly client: Pick<RpcClient<TableMethods, TableEvents>, 'request'>;
  readonly texts: PageTexts;
  readonly clock: Clock;
  readonly draw: (state: PageState, now: number) => void;
};

/** Usually the host answers sooner, and the page never shows that it opens. */
const openingDelayMs = 200;
const countdownStepMs = 1000;
const keepDelayMs = 100;
/** After the last key in the search. */
const searchDelayMs = 150;

/**
 * Holds the state of a table page: reduces actions, draws, sends requests to the host, has the host keep
 * what the user typed, and retries at the time that a failure names.
 */
export class TableController {
  private readonly options: TableControllerOptions;
  private state: PageState;
  private running = new AbortController();
  private stopTimer: () => void = () => undefined;
  private stopKeeping: (() => void) | undefined;
  private stopSearching: () => void = () => undefined;
  /** Goes on since the latest answer if the clock is set back, and while the machine sleeps. */
  private retryTime = (): number => 0;

  constructor(options: TableControllerOptions) {
    this.options = options;
    this.state = { kind: 'unopened', texts: options.texts, failure: null };
  }

  /** `description` was requested already. */
  start(description: Promise<TableDescription>): void {
    this.stopTimer = this.options.clock.after(openingDelayMs, () => this.draw());
    void this.receive(() => description.then(received));
  }

  readonly dispatch = (action: Action): void => {
    const before = this.state;
    const { state, request } = reduce(before, action);
    this.state = state;
    this.keepSoon(before);
    if (action.kind !== 'grid' || action.action.kind !== 'scrolled') this.draw();
    if (request === 'abort') this.running.abort();
    else if (request !== null) void this.request(request, action.kind === 'refreshed');
    this.requestBeside(before, state, action);
    if (action.kind === 'filterEdited' && action.parameter === searchParameter) this.searchSoon();
  };

  /** What a menu of VS Code asks for. */
  readonly command = (command: GridCommand): void => {
    if (command.kind === 'filter') this.dispatch({ kind: 'activeCellChosen' });
    if (command.kind === 'openTrades' || command.kind === 'openPosition')
      this.dispatch({ kind: 'openRequested', what: command.kind });
    const action = this.state.kind === 'open' && commandAction(command, gridOf(this.state));
    if (action) this.dispatch({ kind: 'grid', action });
  };

  private request(kind: RequestKind, isRefresh = false): Promise<void> {
    const { state } = this;
    return this.receive(async (signal) =>
      kind === 'page' && state.kind === 'open'
        ? { kind: 'rowsReceived', page: await this.readRows(state, isRefresh, signal) }
        : received(await this.options.client.request('table/open', null, signal)),
    );
  }

  /** Aborts the request before it, whose answer is never shown. */
  private async receive(answer: (signal: AbortSignal) => Promise<Action>): Promise<void> {
    this.running.abort();
    this.running = new AbortController();
    const { signal } = this.running;
    const { texts, clock } = this.options;
    const result = await answer(signal).catch((error: unknown): Action => ({
      kind: 'requestFailed',
      failure: this.withFutureRetry(failureFor(error, texts)),
    }));
    const steadyTime = steadyTimeOf(clock);
    this.retryTime = () => Math.max(clock.now(), steadyTime());
    if (!signal.aborted) this.dispatch(result);
  }

  /**
   * A refresh reads what is new into the ledger first. If that fails, the rows that it has are shown. Of other rows of
   * the ledger, the first come before the others.
   */
  private async readRows(
    { query, shown }: OpenState,
    isRefresh: boolean,
    signal: AbortSignal,
  ): Promise<TablePage> {
    const { client } = this.options;
    if (isRefresh && query.ledger)
      await client.request('table/synchronise', null, signal).catch((error: unknown) => {
        if (!signal.aborted) this.fail(error);
      });
    if (query.ledger && !(shown && isSameQuery(shown.query, query))) {
      const page = await client.request('table/page', startOf(query), signal);
      if (page.rows.length < ledgerStartSize) return page;
      if (!signal.aborted) this.dispatch({ kind: 'rowsReceived', page, isStart: true });
    }
    return client.request('table/page', query, signal);
  }

  /** Has the host keep the latest state of the page now: the page may be discarded any time. */
  readonly keep = (): void => {
    if (!this.stopKeeping) return;
    this.stopKeeping();
    this.stopKeeping = undefined;
    if (this.state.kind === 'open') this.send('table/keep', pageViewOf(this.state));
  };

  /** Many changes within a short time are kept once. */
  private keepSoon(before: PageState): void {
    const { state } = this;
    if (state.kind !== 'open' || before.kind !== 'open') return;
    if (before.formValues === state.formValues && before.grid === state.grid) return;
    this.stopKeeping ??= this.options.clock.after(keepDelayMs, this.keep);
  }

  /** The rows follow what is typed once no further key comes. */
  private searchSoon(): void {
    this.stopSearching();
    this.stopSearching = this.options.clock.after(searchDelayMs, () => {
      const { [searchParameter]: text } = this.state.kind === 'open' ? this.state.formValues : {};
      if (typeof text === 'string') this.dispatch({ kind: 'searchChosen', text });
    });
  }

  /** The message of an error that is shown without a countdown: it includes when to try again. */
  private sentenceFor(error: unknown): string {
    const { texts, clock } = this.options;
    const { sentence, retryAt } = failureFor(error, texts);
    if (retryAt === undefined) return sentence;
    const seconds = Math.max(0, Math.ceil((retryAt - clock.now()) / 1000));
    return `${sentence} ${texts.tryAgainIn(seconds)}`;
  }

  /** Draws again each second until a failed request may be retried, and when a day begins. */
  private draw(): void {
    const { clock, draw } = this.options;
    const { retryAt } = failureOf(this.state) ?? {};
    const now = retryAt === undefined ? clock.now() : this.retryTime();
    draw(this.state, now);
    this.stopTimer();
    const delayMs =
      retryAt === undefined
        ? this.untilTomorrowMs(now)
        : Math.min(countdownStepMs, Math.max(0, retryAt - now));
    this.stopTimer = clock.after(delayMs, () => {
      if (retryAt === undefined || this.retryTime() < retryAt) this.draw();
      else this.dispatch({ kind: 'refreshed' });
    });
  }

  /** A new failure that could be retried at once waits for the user: a retry could fail the same way without end. */
  private withFutureRetry({ retryAt = 0, ...failure }: RpcFailure): RpcFailure {
    return retryAt > this.options.clock.now() ? { ...failure, retryAt } : failure;
  }

  /** Until texts such as “Today” no longer hold. */
  private untilTomorrowMs(now: number): number {
    const { state } = this;
    return state.kind === 'open' ? lastDays(1, now, state.display.zone).to - now : dayMs;
  }

  /** The requests that follow from an action, beside the one for rows: neither waits for the other. */
  private requestBeside(before: PageState, state: PageState, action: Action): void {
    if (action.kind === 'accountActionChosen') this.send('table/runAction', action.action);
    if (state.kind !== 'open') return;
    if (action.kind === 'sourceChosen') this.send('table/source', action.source);
    if (action.kind === 'exportRequested') this.send('table/export', state.query.filters);
    const row = action.kind === 'openRequested' && activeRow(gridOf(state));
    if (row) this.send(`table/${action.what}`, row);
    if (action.kind === 'weightRequested') void this.requestWeight();
    if (action.kind === 'rowsReceived') this.prefetchNext(state);
    if (action.kind === 'grid' && before.kind === 'open') {
      askHost(this.send, before.grid, gridOf(state), action.action);
      if (action.action.kind === 'linkFollowed') this.send('table/openLink', action.action.link);
      if (action.action.kind === 'moreRequested' && state.details) this.findMore(state.details);
    }
    this.followActiveRow(state);
  }

  private readonly send = <Name extends keyof TableMethods>(
    name: Name,
    params: TableMethods[Name]['params'],
  ): void => {
    this.options.client.request(name, params).catch((error: unknown) => this.fail(error));
  };

  private fail(error: unknown): void {
    this.dispatch({ kind: 'actionFailed', sentence: this.sentenceFor(error) });
  }

  /** A page that comes back with rows that were kept requests nothing. */
  private prefetchNext(state: OpenState): void {
    const { next } = pagerOf(state);
    if (next !== null) this.send('table/prefetch', { ...state.query, page: next });
  }

  /** The tooltip of a button: without an answer it stays as it is. */
  private async requestWeight(): Promise<void> {
    const text = await this.options.client.request('table/weight', null).catch(() => '');
    this.dispatch({ kind: 'weightReceived', text });
  }

  /** Open details are those of the active row, masked as the page is now. */
  private followActiveRow(state: OpenState): void {
    const { grid, display, details } = state;
    const row = grid.areDetailsOpen ? activeRow(gridOf(state)) : null;
    if (!row || areSame(details, { row, display })) return;
    this.dispatch({ kind: 'detailsRequested', row, display });
    const request = this.options.client.request('table/details', row);
    void this.answer({ row, display }, request, (answer) => answer);
  }

  private findMore(of: DetailsState): void {
    const details = of.answer.kind === 'loaded' ? of.answer.value : null;
    if (!details?.more) return;
    const { more } = details;
    const detailsWith = (answer: NonNullable<typeof more.answer>) =>
      ({ kind: 'loaded', value: { ...details, more: { ...more, answer } } }) as const;
    this.dispatch({ kind: 'detailsAnswered', ...of, answer: detailsWith({ kind: 'loading' }) });
    void this.answer(of, this.options.client.request('table/related', of.row), detailsWith);
  }

  private async answer<Value>(
    of: DetailsOwner,
    request: Promise<Value>,
    detailsWith: (answer: Answer<Value>) => DetailsState['answer'],
  ): Promise<void> {
    const answer = await request.then(
      (value) => ({ kind: 'loaded', value }) as const,
      (error: unknown) => ({ kind: 'failed', sentence: this.sentenceFor(error) }) as const,
    );
    this.dispatch({ kind: 'detailsAnswered', ...of, answer: detailsWith(answer) });
  }
}

function received(description: TableDescription): Action {
  return { kind: 'descriptionReceived', description };
}

/** The failure of a request, always with a sentence: one without an answer brings none. */
function failureFor(error: unknown, { noAnswer, unexpected }: PageTexts): RpcFailure {
  if (error instanceof DeadlineExceeded) return { kind: 'timeout', sentence: noAnswer };
  if (!(error instanceof RpcError)) return { kind: 'unexpected', sentence: unexpected };
  const { failure } = error;
  return failure.sentence === '' ? { ...failure, sentence: noAnswer } : failure;
}
