/** How long the exchange has to answer one step before the next, larger one is sent. */
const stepMs = 2000;

/**
 * After a pause that the exchange asked for, the requests of this window leave one, two, four … at a
 * time, until one of them succeeds. If all left at once, all would meet the next pause.
 */
export class GradualReturn {
  private pauseEnd: number | undefined;
  private startedAt: number | undefined;
  private sent = 0;

  /** Starts again with each pause. */
  observePause(frozenUntil: number, now: number): void {
    if (frozenUntil <= now) return;
    this.pauseEnd = frozenUntil;
    this.startedAt = undefined;
    this.sent = 0;
  }

  /** When the next request may leave, after `ahead` others that have not left yet. */
  readyAt(ahead: number, now: number): number {
    if (this.pauseEnd === undefined) return 0;
    const step = Math.ceil(Math.log2(this.sent + ahead + 2)) - 1;
    return (this.startedAt ?? now) + step * stepMs;
  }

  countSent(now: number): void {
    this.startedAt ??= now;
    this.sent += 1;
  }

  /** A request that was sent at this time succeeded: it ends the return if that was after the pause. */
  succeeded(sentAt: number): void {
    if (this.pauseEnd !== undefined && sentAt >= this.pauseEnd) this.pauseEnd = undefined;
  }
}
