import * as vscode from 'vscode';
import type { ActiveAccount } from '../../account/activeAccount.ts';
import {
  leastReads,
  planExport,
  type ExportPlan,
  type ExportSubject,
} from '../../account/export/exportPlan.ts';
import type { PartialFile } from '../../account/export/partialFile.ts';
import type { Kept, Partials } from '../../account/export/partials.ts';
import type { FormatName } from '../../account/export/rowWriter.ts';
import type { Session } from '../../account/session.ts';
import { SentenceError } from '../../base/sentenceError.ts';
import type { DisplayState } from '../displayState.ts';
import { askFormat, askManyReads, askTarget, askToResume } from './exportTableQuestions.ts';
import { subjectWords, takenWords } from './exportTableWords.ts';

/** An export about which everything was asked. */
export type Job = {
  readonly subject: ExportSubject;
  readonly session: Session;
  readonly plan: ExportPlan;
  readonly partial: PartialFile;
  readonly target: string;
};

/** What was answered before an export that stopped, so that it is not asked again. */
export type Earlier = { readonly format: FormatName; readonly target: string | undefined };

export type PrepareOptions = {
  readonly active: ActiveAccount;
  readonly partials: Partials;
  readonly display: DisplayState;
  /** Whether what privacy hides may leave for a file. */
  readonly confirmRealValues: () => Promise<boolean>;
};

/** Asks what there is to ask of an export; undefined when the person gives up. Rejects with why it cannot begin. */
export async function prepareExport(
  options: PrepareOptions,
  subject: ExportSubject,
  earlier: Earlier | undefined,
): Promise<Job | undefined> {
  const { active, partials, confirmRealValues } = options;
  const session = await active.session();
  if (!(await confirmRealValues())) return undefined;
  const format = earlier?.format ?? (await askFormat());
  if (!format) return undefined;
  const plan = planExport(session, subject, format);
  const kept = await partials.find(plan);
  const choice = await chooseStart(options, session, plan, kept, earlier);
  if (!choice) return undefined;
  const range = choice.from?.progress.range ?? plan.range;
  const target = earlier?.target ?? (await askTarget(plan, range));
  if (target === undefined) return undefined;
  requireOpen(active, session);
  if (!choice.from && kept.kind !== 'none') await partials.discard(kept);
  const partial = choice.from ? await partials.resume(choice.from) : await partials.start(plan);
  if (!partial) throw new SentenceError(takenWords(plan));
  return { subject, session, plan, partial, target };
}

/** Whether the account of the window is still the one that was open. */
export function isOpen({ state }: ActiveAccount, session: Session): boolean {
  return state.kind === 'open' && state.session === session;
}

type Start = { readonly from: Extract<Kept, { kind: 'kept' }> | undefined };

async function chooseStart(
  { display }: PrepareOptions,
  { client }: Session,
  plan: ExportPlan,
  kept: Kept,
  earlier: Earlier | undefined,
): Promise<Start | undefined> {
  if (kept.kind === 'kept') {
    const { progress, savedAt } = kept;
    const choice = earlier ? 'resume' : await askToResume(plan, progress, savedAt, display.current);
    if (choice === 'resume') return { from: kept };
    if (!choice) return undefined;
  }
  if (kept.kind === 'damaged') sayItIsDamaged(plan);
  const reads = leastReads(plan, client.dialect);
  const goesOn = earlier !== undefined || (await askManyReads(plan, reads, display.current));
  return goesOn ? { from: undefined } : undefined;
}

function requireOpen(active: ActiveAccount, session: Session): void {
  if (!isOpen(active, session))
    throw new SentenceError(
      vscode.l10n.t('Nothing was exported: another account was opened while the question stood.'),
    );
}

function sayItIsDamaged(plan: ExportPlan): void {
  const text = vscode.l10n.t(
    'What was kept of an earlier export of {0} is damaged: it starts over.',
    subjectWords(plan),
  );
  void vscode.window.showWarningMessage(text);
}
