import type { CancelReport } from '../../account/cancelAll/cancelAll.ts';
import { secondsAfterAnswer, type Receipt } from '../../account/cancelAll/receipts.ts';
import { remainingRechecks } from '../../account/cancelAll/recheck.ts';
import type { Display } from '../../base/display.ts';
import type { BlockState, Label, TimelineStep } from '../../protocol/document.ts';
import { t } from '../shared/translate.ts';
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
    { title: t('Read'), ...readStep(receipt, display), checks: [] },
    { title: t('Sent'), ...sentStep(receipt, display), checks: [] },
    { title: answerTitle(receipt), ...answeredStep(report, display), checks: [] },
    {
      title: t('Read again'),
      ...recheckedStep(report),
      checks: [...readBackChecks(receipt, display), ...pendingChecks(report, display)],
    },
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

function sentStep({ outcome, sentAt }: Receipt, display: Display): Step {
  if (outcome === 'notSent') return { ...skipped, state: 'problem', texts: [t('Not sent')] };
  const texts = [t('One request, never sent again')];
  return { state: 'done', at: timeLabel(sentAt, display), texts };
}

function answeredStep({ receipt, isActive }: CancelReport, display: Display): Step {
  const { outcome, endedAt, sentAt, failure } = receipt;
  if (outcome === 'notSent') return skipped;
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
  const { outcome, after } = receipt;
  if (outcome === 'notSent') return { ...skipped, texts: [t('Not needed')] };
  if (isActive) return { state: 'pending', at: null, texts: [] };
  const state = after.at(-1)?.locked?.length === 0 ? 'done' : 'problem';
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
