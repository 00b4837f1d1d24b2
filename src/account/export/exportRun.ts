import type { Clock } from '../../base/clock.ts';
import type { ExchangeClient } from '../../exchange/client.ts';
import { ExchangeError } from '../../exchange/errors.ts';
import { walk, type WalkEnd, type WalkStep } from '../../exchange/walk.ts';
import { clientHistory, type HistoryRequest } from '../../exchange/walk/clientHistory.ts';
import type { History } from '../../exchange/walk/history.ts';
import { afterStep } from './afterStep.ts';
import type { ReadEnd } from './exportEnd.ts';
import { ExportFileError } from './exportFileError.ts';
import { exportMeta, sha256Of } from './exportMeta.ts';
import type { ExportPlan } from './exportPlan.ts';
import { historyFields } from './fields.ts';
import type { PartialFile } from './partialFile.ts';
import { placeFile } from './placeFile.ts';
import type { Progress } from './progress.ts';
import { rowWriter, type RowWriter } from './rowWriter.ts';
import type { HistoryRecord } from '../../exchange/histories.ts';

export type ExportRun = {
  readonly plan: ExportPlan;
  readonly request: HistoryRequest;
  readonly client: ExchangeClient;
  /** New, or one that goes on; when this rejects it can be gone on with. */
  readonly partial: PartialFile;
  /** The chosen name. */
  readonly target: string;
  readonly clock: Clock;
  /** The application, with its version. */
  readonly writtenBy: string;
  readonly onProgress: (progress: Progress) => void;
  readonly signal: AbortSignal;
};

/** More rows a read than most exchanges give; they give fewer by themselves. */
const usualSize = 500;

/**
 * Reads a history to its end into the partial file and moves that to the chosen name. Rejects with
 * ExchangeError, ExportFileError or the signal's reason, and then the partial file has all rows up
 * to the last one that was recorded.
 */
export async function runExport(run: ExportRun): Promise<Progress> {
  const { partial, plan } = run;
  const writer = rowWriter(plan.format, historyFields[plan.operation]);
  try {
    await begin(partial, writer);
    if (!partial.progress.end) await readAll(run, writer);
    run.signal.throwIfAborted();
    const tail = await partial.append(writer.tail);
    const size = await partial.close();
    if (size !== partial.progress.bytes + tail) throw new ExportFileError('partial', 'changed');
    await place(run);
  } catch (error) {
    await partial.putDown().catch(() => undefined);
    throw error;
  }
  // The file is where it belongs: what is left of its state says so, and goes with the old ones.
  await partial.forget().catch(() => undefined);
  return partial.progress;
}

async function begin(partial: PartialFile, { head }: RowWriter): Promise<void> {
  const { progress } = partial;
  if (progress.cursor || progress.bytes > 0) return;
  await partial.save({ ...progress, bytes: await partial.append(head) });
}

/** From the refusal of a long period the client may learn how long one can be: then the walk goes on in slices. */
async function readAll(run: ExportRun, writer: RowWriter): Promise<void> {
  const { client } = run;
  const days = client.dialect.maxRangeDays;
  try {
    await walkOn(run, writer);
  } catch (error) {
    const isLearned = client.dialect.maxRangeDays !== days;
    if (!(error instanceof ExchangeError) || !isLearned) throw error;
    await walkOn(run, writer);
  }
}

/** Some days of the usual limit: an exchange may answer on and on. It can be cancelled, and goes on from where it was. */
const mostReads = 100_000;

async function walkOn(run: ExportRun, writer: RowWriter): Promise<void> {
  const { client, partial, request, signal } = run;
  // A walk keeps the days that it began with: they are to be those of the exchange.
  if (client.book.needsZone(client.dialect, { dateTo: partial.progress.range.to }))
    await client.exchangeInfo(signal);
  const history = clientHistory(client, request);
  const reads = { count: partial.progress.reads };
  const { range, cursor } = partial.progress;
  const size = history.maxPageSize ?? usualSize;
  const options = { range, size, maxReads: mostReads, ...(cursor === undefined ? {} : { cursor }) };
  const steps = walk(counting(history, reads), options, signal);
  const end = await eachStep(steps, async (step) => {
    const written = await write(partial, writer, request, step);
    await partial.record({ ...written, reads: reads.count });
    run.onProgress(partial.progress);
  });
  const judged = { reads: reads.count, part: 1, end: judgedEnd(run, end) };
  await partial.save({ ...partial.progress, ...judged });
}

/** A walk knows only what it was answered: where it is open how it was asked, so is whether that is all. */
function judgedEnd({ client, request, partial }: ExportRun, end: WalkEnd): ReadEnd {
  const { range, rows } = partial.progress;
  const asked = { ...request.filters, dateTo: range.to };
  const [undecided] = client.book.undecidedOf(asked, rows === 0);
  const { completeness, reason = undecided ?? null } = end;
  return { completeness: undecided ? 'unknown' : completeness, reason };
}

async function eachStep<Step>(
  steps: AsyncGenerator<Step, WalkEnd>,
  take: (step: Step) => Promise<void>,
): Promise<WalkEnd> {
  for (;;) {
    const step = await steps.next();
    if (step.done) return step.value;
    await take(step.value);
  }
}

/** Adds a step's rows; what comes back is true once it is recorded. */
async function write(
  partial: PartialFile,
  writer: RowWriter,
  { filters }: HistoryRequest,
  step: WalkStep<HistoryRecord>,
): Promise<Progress> {
  const { progress } = partial;
  const texts = step.items.map((item, index) => writer.row(item, progress.rows + index === 0));
  const added = await partial.append(texts.join(''));
  return afterStep(progress, step, filters, added);
}

function counting<Item>(history: History<Item>, reads: { count: number }): History<Item> {
  return {
    ...history,
    read: (...question) => {
      reads.count += 1;
      return history.read(...question);
    },
  };
}

async function place({ partial, plan, target, clock, writtenBy }: ExportRun): Promise<void> {
  const { rows } = partial.paths;
  const sha256 = await sha256Of(rows);
  const file = { path: target, sha256, endedAt: clock.now(), writtenBy };
  await placeFile(rows, target, exportMeta(plan, partial.progress, file));
}
