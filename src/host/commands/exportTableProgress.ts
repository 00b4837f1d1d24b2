import type * as vscode from 'vscode';
import type { ExportPlan } from '../../account/export/exportPlan.ts';
import type { Progress } from '../../account/export/progress.ts';
import { timeLeftMs } from '../../account/export/timeLeft.ts';
import type { Session } from '../../account/session.ts';
import type { Clock } from '../../base/clock.ts';
import { operations } from '../../exchange/operations.ts';
import type { DisplayState } from '../displayState.ts';
import { progressWords } from './exportTableWords.ts';

type Report = vscode.Progress<{ readonly message: string; readonly increment: number }>;

/** Shows how far an export has come, seen from where it was when it was taken up. */
export class ExportProgress {
  private readonly report: Report;
  private readonly session: Session;
  private readonly weight: number;
  private readonly first: Progress;
  private readonly display: DisplayState;
  private readonly clock: Clock;
  private readonly beganAt: number;
  private shownPart = 0;

  constructor(
    report: Report,
    session: Session,
    { operation }: ExportPlan,
    first: Progress,
    display: DisplayState,
    clock: Clock,
  ) {
    this.display = display;
    this.report = report;
    this.session = session;
    this.weight = operations[operation].weight;
    this.first = first;
    this.clock = clock;
    this.beganAt = clock.now();
    this.show(first);
  }

  show({ rows, reads, part }: Progress): void {
    const watched = {
      reads: reads - this.first.reads,
      done: part - this.first.part,
      left: 1 - part,
      elapsedMs: this.clock.now() - this.beganAt,
    };
    const leftMs = timeLeftMs(watched, this.weight, this.session.ledger.standing);
    const message = progressWords(rows, reads * this.weight, leftMs, this.display.current);
    this.report.report({ message, increment: Math.max(0, part - this.shownPart) * 100 });
    this.shownPart = Math.max(this.shownPart, part);
  }
}
