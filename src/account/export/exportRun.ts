import type { Clock } from '../../base/time.ts';
import type { ExchangeClient } from '../../exchange/client.ts';
import { ExchangeError } from '../../exchange/exchangeError.ts';
import { withoutFilters } from '../../exchange/history/filterRules.ts';
import type { HistoryRecord, HistorySelection } from '../../exchange/history/historyRecords.ts';
import { historySource, type HistorySource } from '../../exchange/history/historySource.ts';
import { walk, type WalkEnd, type WalkStep } from '../../exchange/history/walk/walk.ts';
import { exportMeta, sha256Of, moveIntoPlace } from './exportedFile.ts';
import { historyFields } from './exportFields.ts';
import { ExportFileError } from './exportFileError.ts';
import { rowSerializer, type RowSerializer } from './exportFormats.ts';
import type { ExportPlan } from './exportPlan.ts';
import type { PartialFile } from './partialFile.ts';
import { progressAfterStep, type ReadResult, type Progress } from './progress.ts';

type ExportRun = {
  readonly plan: ExportPlan;
  readonly request: HistorySelection;
  readonly client: ExchangeClient;
  /** New or resumed. If the run rejects, it can be resumed again. */
  readonly partial: PartialFile;
  /** The path that was chosen for the file. */
  readonly target: string;
  readonly clock: Clock;
  /** The name and version of the extension. */
  readonly writtenBy: string;
  readonly onProgress: (progress: Progress) => void;
  readonly signal: AbortSignal;
};

/** More rows than most exchanges return: they cut a page at their own length. */
const defaultPageSize = 500;
/** Days of reading at the usual limit, as an exchange may answer without end. The export can be resumed. */
const maxReads = 100_000;

/**
 * Reads a history to its end into the partial file, and moves that to the target. Rejects with
 * ExchangeError, ExportFileError or the signal's reason. The partial file then has every recorded row.
 */
export async function runExport(run: ExportRun): Promise<Progress> {
  const { partial, plan } = run;
  const serializer = rowSerializer(plan.format, historyFields[plan.operation]);
  try {
    await begin(run, serializer);
    if (!partial.progress.end) await readAll(run, serializer);
    run.signal.throwIfAborted();
    const footerBytes = await partial.append(serializer.footer);
    const size = await partial.close();
    if (size !== partial.progress.bytes + footerBytes)
      throw new ExportFileError('partial', 'changed');
    await moveToTarget(run);
  } catch (error) {
    await partial.release().catch(() => undefined);
    throw error;
  }
  // The file is in place. A state without rows counts as none, and the cleanup removes it.
  await partial.deleteState().catch(() => undefined);
  return partial.progress;
}

/** The filters that are applied here stay the same to the end: page numbers depend on them. */
async function begin(run: ExportRun, { header }: RowSerializer): Promise<void> {
  const { partial, client, request } = run;
  const { progress } = partial;
  if (progress.cursor || progress.bytes > 0) return;
  const filteredHere = client.conventions.filteredHere(request.filters);
  await partial.save({ ...progress, filteredHere, bytes: await partial.append(header) });
}

/** When the exchange refuses a long period, the client may observe its limit: then shorter ones are read. */
async function readAll(run: ExportRun, serializer: RowSerializer): Promise<void> {
  const { conventions } = run.client;
  const { maxRangeDays } = conventions.current;
  try {
    await continueWalk(run, serializer);
  } catch (error) {
    const isObserved = conventions.current.maxRangeDays !== maxRangeDays;
    if (!(error instanceof ExchangeError) || !isObserved) throw error;
    await continueWalk(run, serializer);
  }
}

async function continueWalk(run: ExportRun, serializer: RowSerializer): Promise<void> {
  const { client, partial, request, signal } = run;
  const { conventions } = client;
  // A walk keeps the units of time that it began with: the exchange's zone must be known before.
  if (conventions.needsZone(partial.progress.range))
    await client.exchangeInfo({ priority: 'bulk', signal });
  const history = historySource(client, request, 'bulk', partial.progress.filteredHere);
  const reads = { count: partial.progress.reads };
  const { range, cursor } = partial.progress;
  const size = history.maxPageSize ?? defaultPageSize;
  const options = { range, size, maxReads, ...(cursor === undefined ? {} : { cursor }) };
  const steps = walk(countReads(history, reads), options, signal);
  const end = await eachStep(steps, async (step) => {
    const progress = await appendRows(run, serializer, step);
    await partial.record({ ...progress, reads: reads.count });
    run.onProgress(partial.progress);
  });
  const result = { reads: reads.count, part: 1, end: readResult(run, end) };
  await partial.save({ ...partial.progress, ...result });
}

/** A walk knows only the answers. If a convention of its requests is unproven, rows may be missing. */
function readResult({ client, request, partial }: ExportRun, end: WalkEnd): ReadResult {
  const { range: period, rows, filteredHere } = partial.progress;
  const selection = { ...withoutFilters(request, filteredHere), period };
  const [unproven] = client.conventions.unprovenConventions(selection, rows === 0);
  const { completeness, reason = unproven ?? null } = end;
  return { completeness: unproven ? 'unknown' : completeness, reason };
}

async function eachStep<Step>(
  steps: AsyncGenerator<Step, WalkEnd>,
  handle: (step: Step) => Promise<void>,
): Promise<WalkEnd> {
  for (;;) {
    const step = await steps.next();
    if (step.done) return step.value;
    await handle(step.value);
  }
}

/** Appends the rows of a step. The returned progress is valid once it is recorded. */
async function appendRows(
  { partial, request }: ExportRun,
  serializer: RowSerializer,
  step: WalkStep<HistoryRecord>,
): Promise<Progress> {
  const { progress } = partial;
  const texts = step.items.map((item, index) => serializer.row(item, progress.rows + index === 0));
  const bytes = await partial.append(texts.join(''));
  return progressAfterStep(progress, step, request, bytes);
}

function countReads<Item>(
  history: HistorySource<Item>,
  reads: { count: number },
): HistorySource<Item> {
  return {
    ...history,
    read: (...request) => {
      reads.count += 1;
      return history.read(...request);
    },
  };
}

async function moveToTarget({ partial, plan, target, clock, writtenBy }: ExportRun): Promise<void> {
  const { rows } = partial.paths;
  const sha256 = await sha256Of(rows);
  const file = { path: target, sha256, endedAt: clock.now(), writtenBy };
  await moveIntoPlace(rows, target, exportMeta(plan, partial.progress, file));
}
