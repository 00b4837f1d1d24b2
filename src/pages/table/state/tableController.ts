import { dayMs, steadyTimeOf, type Clock } from '../../../base/time.ts';
import { lastDays } from '../../../base/timeZone.ts';
import { RpcError, type RpcFailure } from '../../../protocol/messages.ts';
import type { TablePage, TableQuery } from '../../../protocol/table.ts';
import { failureOf, type Action, type PageState, type RequestKind } from './pageState.ts';
import type { PageTexts } from './pageTexts.ts';
import { pageViewOf } from './receivedRows.ts';
import { reduce } from './reducer.ts';
import { SideRequests, type TableClient } from './sideRequests.ts';
import { gridActionOf } from './tableGrid.ts';

type TableControllerOptions = {
  readonly client: TableClient;
  readonly texts: PageTexts;
  readonly clock: Clock;
  readonly draw: (state: PageState, now: number) => void;
};

/** Usually the host answers sooner, and the page never shows that it opens. */
const openingDelayMs = 200;
const countdownStepMs = 1000;
const keepDelayMs = 100;

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
  /** Goes on since the latest answer if the clock is set back, and while the machine sleeps. */
  private retryTime = (): number => 0;
  private readonly sideRequests: SideRequests;

  constructor(options: TableControllerOptions) {
    this.options = options;
    const { client, texts } = options;
    this.state = { kind: 'opening', texts };
    const { dispatch, sentenceFor } = this;
    this.sideRequests = new SideRequests({ client, dispatch, sentenceFor });
  }

  /** Requests the description of the table. */
  start(): void {
    this.stopTimer = this.options.clock.after(openingDelayMs, () => this.draw());
    void this.request('open');
  }

  readonly dispatch = (action: Action): void => {
    const before = this.state;
    const { state, request } = reduce(before, action);
    this.state = state;
    this.keepSoon(before);
    const gridAction = gridActionOf(action, before);
    if (gridAction?.kind !== 'scrolled') this.draw();
    if (request === 'abort') this.running.abort();
    else if (request !== null) void this.request(request, action.kind === 'refreshed');
    this.sideRequests.run(before, state, action, gridAction);
  };

  /** Aborts the request before it, whose answer is never shown. */
  private async request(kind: RequestKind, isRefresh = false): Promise<void> {
    this.running.abort();
    this.running = new AbortController();
    const { signal } = this.running;
    const { client, texts, clock } = this.options;
    const { state } = this;
    let result: Action;
    try {
      result =
        kind === 'page' && state.kind === 'open'
          ? { kind: 'rowsReceived', page: await this.readRows(state.query, isRefresh, signal) }
          : {
              kind: 'descriptionReceived',
              description: await client.request('table/open', null, signal),
            };
    } catch (error) {
      result = { kind: 'requestFailed', failure: this.withFutureRetry(failureFor(error, texts)) };
    }
    const steadyTime = steadyTimeOf(clock);
    this.retryTime = () => Math.max(clock.now(), steadyTime());
    if (!signal.aborted) this.dispatch(result);
  }

  /** A refresh reads what is new into the ledger first. If that fails, the rows that it has are shown. */
  private async readRows(
    query: TableQuery,
    isRefresh: boolean,
    signal: AbortSignal,
  ): Promise<TablePage> {
    const { client } = this.options;
    if (isRefresh && query.ledger)
      await client.request('table/synchronise', null, signal).catch((error: unknown) => {
        if (!signal.aborted) this.sideRequests.fail(error);
      });
    return client.request('table/page', query, signal);
  }

  /** Has the host keep the latest state of the page now: the page may be discarded any time. */
  readonly keep = (): void => {
    if (!this.stopKeeping) return;
    this.stopKeeping();
    this.stopKeeping = undefined;
    if (this.state.kind === 'open') this.sideRequests.send('table/keep', pageViewOf(this.state));
  };

  /** Many changes within a short time are kept once. */
  private keepSoon(before: PageState): void {
    const { state } = this;
    if (state.kind !== 'open' || before.kind !== 'open') return;
    if (before.formValues === state.formValues && before.grid === state.grid) return;
    this.stopKeeping ??= this.options.clock.after(keepDelayMs, this.keep);
  }

  /** The message of an error that is shown without a countdown: it includes when to try again. */
  private readonly sentenceFor = (error: unknown): string => {
    const { texts, clock } = this.options;
    const { sentence, retryAt } = failureFor(error, texts);
    if (retryAt === undefined) return sentence;
    const seconds = Math.max(0, Math.ceil((retryAt - clock.now()) / 1000));
    return `${sentence} ${texts.tryAgainIn(seconds)}`;
  };

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
}

/** The failure of a request, always with a sentence: one without an answer brings none. */
function failureFor(error: unknown, { noAnswer, unexpected }: PageTexts): RpcFailure {
  if (!(error instanceof RpcError)) return { kind: 'unexpected', sentence: unexpected };
  const { failure } = error;
  return failure.sentence === '' ? { ...failure, sentence: noAnswer } : failure;
}
