import { l10n } from 'vscode';
import type { CancelReport } from '../../account/cancelAll/cancelAll.ts';
import { secondsAfterAnswer, type Receipt } from '../../account/cancelAll/receipts.ts';
import { needsRecheck, remainingRechecks } from '../../account/cancelAll/recheck.ts';
import type { Display } from '../../base/display.ts';
import type { BlockState, Label, TimelineStep } from '../../protocol/document.ts';
import { readFailureText } from '../text/failureText.ts';
import type { Live } from '../webview/documentPanel.ts';
import { lockedListText, returnedCountText } from './outcomeText.ts';
import { unreadReasonText } from './planText.ts';

type Step = Omit<Live<TimelineStep>, 'title' | 'checks'>;
const skipped: Step = { state: 'skipped', at: null, texts: [] };

/** Read → Sent → Answered → Read again. A step says only what has happened, or that it is pending. */
export function receiptTimeline(report: CancelReport, display: Display): Live<TimelineStep>[] {
  const { receipt } = report;
  return [
    { title: l10n.t('Read'), ...readStep(receipt, display), checks: [] },
    { title: l10n.t('Sent'), ...sentStep(receipt, display), checks: [] },
    { title: answerTitle(receipt), ...answeredStep(report, display), checks: [] },
    {
      title: l10n.t('Read again'),
      ...recheckedStep(report),
      checks: [...readBackChecks(receipt, display), ...pendingChecks(report, display)],
    },
  ];
}

/** A refusal is an answer, too. */
function answerTitle({ failure }: Receipt): string {
  const isAnswered = !failure || failure.sent === 'yes';
  return isAnswered ? l10n.t('Answered') : l10n.t('Not answered');
}

function timeLabel(at: number, display: Display): Live<Label> {
  const text = display.timeOfDay(at);
  return { text, detail: display.timeInBothZones(at) };
}

function readStep({ before }: Receipt, display: Display): Step {
  const { asOf, isFresh, readFailure, readSkipped } = before;
  const at = asOf === null ? null : timeLabel(asOf, display);
  if (isFresh) return { state: 'done', at, texts: [l10n.t('Current figures')] };
  const reason = readFailure ?? readSkipped;
  const why = reason
    ? [l10n.t('The account could not be read ({0}).', unreadReasonText(reason, display))]
    : [];
  const last = at
    ? l10n.t('The question showed the last figures.')
    : l10n.t('Nothing was read yet.');
  return { state: 'problem', at, texts: [...why, last] };
}

function sentStep({ outcome, sentAt }: Receipt, display: Display): Step {
  if (outcome === 'notSent') return { ...skipped, state: 'problem', texts: [l10n.t('Not sent')] };
  const texts = [l10n.t('One request, never sent again')];
  return { state: 'done', at: timeLabel(sentAt, display), texts };
}

function answeredStep({ receipt, isActive }: CancelReport, display: Display): Step {
  const { outcome, endedAt, sentAt, failure } = receipt;
  if (outcome === 'notSent') return skipped;
  if (endedAt === null)
    return isActive
      ? { state: 'pending', at: null, texts: [l10n.t('Waiting for the answer')] }
      : { state: 'problem', at: null, texts: [l10n.t('No answer was stored')] };
  const at = timeLabel(endedAt, display);
  const took = l10n.t('after {0} ms', display.count(Math.max(0, endedAt - sentAt)));
  if (failure) return { state: 'problem', at, texts: [readFailureText(failure, display), took] };
  const state = receipt.unread.length > 0 ? 'problem' : 'done';
  return { state, at, texts: [returnedCountText(receipt, display), took] };
}

function recheckedStep({ receipt, isActive }: CancelReport): Step {
  const { outcome, after } = receipt;
  if (outcome === 'notSent') return { ...skipped, texts: [l10n.t('Not needed')] };
  if (isActive) return { state: 'pending', at: null, texts: [] };
  const state = after.at(-1)?.locked?.length === 0 ? 'done' : 'problem';
  const noOther = l10n.t(
    'No other re-check is stored: a newer request was sent, the window was closed, or another window still re-checks.',
  );
  const isCutOff = needsRecheck(receipt) && remainingRechecks(receipt).length > 0;
  return { state, at: null, texts: isCutOff ? [noOther] : [] };
}

/** Enough to compare the read-backs; the table has all of the last one. */
const maxListLength = 160;

function readBackChecks(receipt: Receipt, display: Display): Live<TimelineStep>['checks'] {
  return receipt.after.map(({ at, locked }) => {
    const label = secondsLabel(secondsAfterAnswer(receipt, at), display);
    const detail = display.timeInBothZones(at);
    const check = (state: BlockState, text: string) => ({
      label: { ...label, detail },
      state,
      text,
    });
    if (!locked) return check('problem', l10n.t('Could not be read'));
    return locked.length === 0
      ? check('done', l10n.t('Nothing locked'))
      : check('problem', lockedListText(locked, display, maxListLength));
  });
}

function pendingChecks(
  { receipt, isActive }: CancelReport,
  display: Display,
): Live<TimelineStep>['checks'] {
  if (!isActive) return [];
  return remainingRechecks(receipt).map((at) => ({
    label: secondsLabel(secondsAfterAnswer(receipt, at), display),
    state: 'pending',
    text: l10n.t('Pending'),
  }));
}

function secondsLabel(seconds: number, display: Display): Live<Label> {
  return { text: l10n.t('{0} s', display.count(seconds)) };
}
