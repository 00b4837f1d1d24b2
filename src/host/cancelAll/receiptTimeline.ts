import type { CancelReport } from '../../account/cancelAll/cancelAll.ts';
import { secondsAfterAnswer, wasSent, type Receipt } from '../../account/cancelAll/receipts.ts';
import { remainingRechecks } from '../../account/cancelAll/recheck.ts';
import type { Display } from '../../base/display.ts';
import type { BlockState, Label, TimelineStep } from '../../protocol/document.ts';
import { t } from '../shared/translate.ts';
import { readFailureText } from '../text/failureText.ts';
import type { Live } from '../webview/documentPanel.ts';
import { lockedListText, returnedCountText } from './outcomeText.ts';
import { unreadReasonText } from './planText.ts';

type Step = Omit<Live<TimelineStep>, 'title' | 'checks'>;

/** Read → Sent → Answered → Read again. A step says only what has happened, or that it is pending. */
export function receiptTimeline(report: CancelReport, display: Display): Live<TimelineStep>[] {
  const { receipt } = report;
  const read = { title: t('Read'), ...readStep(receipt, display), checks: [] };
  if (!wasSent(receipt)) return [read, ...notSentSteps()];
  return [
    read,
    { title: t('Sent'), ...sentStep(receipt, display), checks: [] },
    { title: answerTitle(receipt), ...answeredStep(report, display), checks: [] },
    {
      title: t('Read again'),
      ...recheckedStep(report),
      checks: [...readBackChecks(receipt, display), ...pendingChecks(report, display)],
    },
  ];
}

function notSentSteps(): Live<TimelineStep>[] {
  const step = { state: 'skipped', at: null, texts: [], checks: [] } as const;
  return [
    { ...step, title: t('Sent'), state: 'problem', texts: [t('Not sent')] },
    { ...step, title: t('Not answered') },
    { ...step, title: t('Read again'), texts: [t('Not needed')] },
  ];
}

/** A refusal is an answer, too. */
function answerTitle({ failure }: Receipt): string {
  const isAnswered = !failure || failure.sent === 'yes';
  return isAnswered ? t('Answered') : t('Not answered');
}

function timeLabel(at: number, display: Display): Live<Label> {
  const text = display.timeOfDay(at);
  return { text, detail: display.timeInBothZones(at) };
}

function readStep({ before }: Receipt, display: Display): Step {
  const { asOf, isFresh, readFailure, readSkipped } = before;
  const at = asOf === null ? null : timeLabel(asOf, display);
  if (isFresh) return { state: 'done', at, texts: [t('Current figures')] };
  const reason = readFailure ?? readSkipped;
  const why = reason
    ? [t('The account could not be read ({0}).', unreadReasonText(reason, display))]
    : [];
  const last = at ? t('The question showed the last figures.') : t('Nothing was read yet.');
  return { state: 'problem', at, texts: [...why, last] };
}

function sentStep({ sentAt }: Receipt, display: Display): Step {
  const texts = [t('One request, never sent again')];
  return { state: 'done', at: timeLabel(sentAt, display), texts };
}

function answeredStep({ receipt, isActive }: CancelReport, display: Display): Step {
  const { endedAt, sentAt, failure } = receipt;
  if (endedAt === null)
    return isActive
      ? { state: 'pending', at: null, texts: [t('Waiting for the answer')] }
      : { state: 'problem', at: null, texts: [t('No answer was stored')] };
  const at = timeLabel(endedAt, display);
  const took = t('after {0} ms', display.count(Math.max(0, endedAt - sentAt)));
  if (failure) return { state: 'problem', at, texts: [readFailureText(failure, display), took] };
  const state = receipt.unread.length > 0 ? 'problem' : 'done';
  return { state, at, texts: [returnedCountText(receipt, display), took] };
}

function recheckedStep({ receipt, isActive }: CancelReport): Step {
  if (isActive) return { state: 'pending', at: null, texts: [] };
  const state = receipt.after.at(-1)?.locked?.length === 0 ? 'done' : 'problem';
  const noOther = t(
    'No other re-check is stored: a newer request was sent, the window was closed, or another window still re-checks.',
  );
  const isCutOff = remainingRechecks(receipt).length > 0;
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
    if (!locked) return check('problem', t('Could not be read'));
    return locked.length === 0
      ? check('done', t('Nothing locked'))
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
    text: t('Pending'),
  }));
}

function secondsLabel(seconds: number, display: Display): Live<Label> {
  return { text: t('{0} s', display.count(seconds)) };
}
