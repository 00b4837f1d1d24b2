import * as v from 'valibot';
import type { Clock } from '../../base/clock.ts';
import { RpcError, type RpcFailure } from '../../protocol/messages.ts';
import { tableStateSchema, type TableMethods, type TableState } from '../../protocol/table.ts';
import { reduce } from './reduce.ts';
import { failureOf, type Action, type PageState, type Question } from './state.ts';
import type { Words } from './words.ts';

type Ask = <Name extends keyof TableMethods>(
  name: Name,
  params: TableMethods[Name]['params'],
  signal?: AbortSignal,
) => Promise<TableMethods[Name]['result']>;

export type SessionOptions = {
  ask: Ask;
  words: Words;
  clock: Clock;
  /** What `save` kept for a page that was there before; anything. */
  load(): unknown;
  save(state: TableState): void;
  draw(state: PageState, now: number): void;
};

const tickMs = 1000;

/**
 * A table page at work: keeps its state, asks the host one question at a time (a newer one aborts
 * the elder), saves the query whenever it changes, and tries again when a failure said it may.
 */
export class TableSession {
  private readonly options: SessionOptions;
  private state: PageState;
  private running = new AbortController();
  private stopTicking: () => void = () => undefined;

  constructor(options: SessionOptions) {
    this.options = options;
    this.state = { kind: 'opening', words: options.words };
  }

  /** Draws the first state and asks what the table is. */
  start(): void {
    this.show();
    this.ask('open');
  }

  dispatch(action: Action): void {
    const before = this.state;
    const step = reduce(before, action);
    this.state = step.state;
    this.save(before);
    this.show();
    if (step.ask === 'nothing') this.running.abort();
    else if (step.ask !== null) this.ask(step.ask);
    if (action.kind === 'followedLink') this.askBeside('table/openLink', action.link);
    if (action.kind === 'exported') this.export();
    if (action.kind === 'copiedMasked') this.askBeside('table/copy', action.cell);
  }

  private ask(question: Question): void {
    this.running.abort();
    this.running = new AbortController();
    const { signal } = this.running;
    this.answer(question, signal).then(
      (action) => {
        if (!signal.aborted) this.dispatch(action);
      },
      (error: unknown) => {
        if (!signal.aborted)
          this.dispatch({ kind: 'failed', failure: failureFor(error, this.options.words) });
      },
    );
  }

  private async answer(question: Question, signal: AbortSignal): Promise<Action> {
    const { options } = this;
    if (question === 'page' && this.state.kind === 'open')
      return { kind: 'answered', page: await options.ask('table/page', this.state.query, signal) };
    return {
      kind: 'opened',
      description: await options.ask('table/open', null, signal),
      kept: options.load(),
    };
  }

  /** The host has its own place to say how an export goes. */
  private export(): void {
    if (this.state.kind === 'open') this.askBeside('table/export', this.state.query.filters);
  }

  /** Links, copies and exports are asked about beside the rows: neither waits for the other. */
  private askBeside<Name extends 'table/openLink' | 'table/copy' | 'table/export'>(
    name: Name,
    params: TableMethods[Name]['params'],
  ): void {
    this.options.ask(name, params).catch((error: unknown) => {
      const { sentence } = failureFor(error, this.options.words);
      this.dispatch({ kind: 'refused', sentence });
    });
  }

  private save(before: PageState): void {
    const { state } = this;
    if (state.kind !== 'open' || (before.kind === 'open' && before.query === state.query)) return;
    const kept = { v: 1, table: state.description.table, query: state.query };
    const parsed = v.safeParse(tableStateSchema, kept);
    if (parsed.success) this.options.save(parsed.output);
  }

  private show(): void {
    const now = this.options.clock.now();
    this.options.draw(this.state, now);
    this.stopTicking();
    const { retryAt = now } = failureOf(this.state) ?? {};
    if (retryAt <= now) return;
    this.stopTicking = this.options.clock.after(Math.min(tickMs, retryAt - now), () => {
      if (this.options.clock.now() < retryAt) this.show();
      else this.dispatch({ kind: 'reloaded' });
    });
  }
}

/** An end of the conversation that did not answer has no words. */
function failureFor(error: unknown, { noAnswer, unexpected }: Words): RpcFailure {
  if (!(error instanceof RpcError)) return { kind: 'unexpected', sentence: unexpected };
  const { failure } = error;
  return failure.sentence === '' ? { ...failure, sentence: noAnswer } : failure;
}
