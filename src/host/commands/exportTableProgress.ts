import type * as vscode from 'vscode';
import type { ExportPlan } from '../../account/export/exportPlan.ts';
import type { Progress } from '../../account/export/progress.ts';
import { timeLeftMs } from '../../account/export/timeLeft.ts';
import type { Session } from '../../account/session.ts';
import type { Clock } from '../../base/clock.ts';
import { operations } from '../../exchange/operations.ts';
import type { RequestRecord } from '../../exchange/requestRecord.ts';
import type { DisplayState } from '../displayState.ts';
import { progressWords } from './exportTableWords.ts';

type Report = vscode.Progress<{ readonly message: string; readonly increment: number }>;

export type ExportProgressOptions = {
  readonly report: Report;
  readonly session: Pick<Session, 'ledger'>;
  readonly plan: Pick<ExportPlan, 'operation'>;
  /** How far it was when it was taken up. */
  readonly first: Progress;
  readonly display: Pick<DisplayState, 'current'>;
  readonly clock: Clock;
};

/** Shows how far an export has come, and what it took since it was taken up. */
export class ExportProgress {
  private readonly options: ExportProgressOptions;
  private readonly beganAt: number;
  private spent = 0;
  private shownPart = 0;

  constructor(options: ExportProgressOptions) {
    this.options = options;
    this.beganAt = options.clock.now();
    this.show(options.first);
  }

  /** Counts what a request cost, also one that was sent again or found out how to ask, if it is one of this export. */
  note({ priority, path, weight }: RequestRecord): void {
    const { operation } = this.options.plan;
    if (priority === 'bulk' && path === operations[operation].path) this.spent += weight;
  }

  show({ rows, reads, part }: Progress): void {
    const { report, session, plan, first, display, clock } = this.options;
    const watched = {
      reads: reads - first.reads,
      done: part - first.part,
      left: 1 - part,
      elapsedMs: clock.now() - this.beganAt,
    };
    const { weight } = operations[plan.operation];
    const leftMs = timeLeftMs(watched, weight, session.ledger.standing);
    const message = progressWords(rows, this.spent, leftMs, display.current);
    report.report({ message, increment: Math.max(0, part - this.shownPart) * 100 });
    this.shownPart = Math.max(this.shownPart, part);
  }
}
