import * as vscode from 'vscode';
import type { CancelPlan } from '../../account/cancelAll/cancelPlan.ts';
import { environmentLabel, type Profile } from '../../account/session/profile.ts';
import type { Display } from '../../base/display.ts';
import type { Clock } from '../../base/time.ts';
import { multiStepInput } from '../shared/multiStepInput.ts';
import { writeSetting } from '../settings/settings.ts';
import { settingValue } from '../settings/settingValues.ts';
import { untrustedText } from '../text/messageText.ts';
import { planText } from './planText.ts';

/** A confirmation that comes sooner after the question is an accidental key: VS Code focuses the first button. */
const minAnswerMs = 700;

/**
 * Asks whether to cancel all open orders: a modal question; for a live account with confirmByTyping,
 * the name of the profile is typed.
 */
export async function confirmCancelAll(
  plan: CancelPlan,
  earlier: CancelPlan | undefined,
  { display, clock }: { readonly display: Display; readonly clock: Clock },
): Promise<boolean> {
  const { profile } = plan.account;
  const isLive = profile.environment === 'live';
  const question = planText(plan, earlier, display);
  for (let detail = question; ;) {
    const isTyped = isLive && settingValue('marginDesk.confirmByTyping');
    const askedAt = clock.steadyNow();
    const answer = await askToCancel(profile, detail, isTyped);
    if (answer === 'keep') return false;
    const isDeliberate = clock.steadyNow() - askedAt >= minAnswerMs;
    if (answer === 'typeFromNowOn') {
      await writeSetting('marginDesk.confirmByTyping', true);
      detail = question;
    } else if (isTyped) return confirmByTypingName(profile);
    else if (!isLive || isDeliberate) return true;
    else detail = `${accidentalKeyText()}\n\n${question}`;
  }
}

function accidentalKeyText(): string {
  return vscode.l10n.t(
    'The confirmation came so soon that it counts as an accidental key. Nothing was sent; please confirm again.',
  );
}

/** The offer to type the name is for live accounts that are confirmed by a button. */
async function askToCancel(
  profile: Profile,
  detail: string,
  isTyped: boolean,
): Promise<'confirm' | 'typeFromNowOn' | 'keep'> {
  const { t } = vscode.l10n;
  const confirm = { title: isTyped ? t('Type Profile Name…') : t('Cancel All Orders') };
  const typeFromNowOn = { title: t('Always Type Profile Name') };
  const keep = { title: t('Keep Orders'), isCloseAffordance: true };
  const offers = profile.environment === 'live' && !isTyped ? [typeFromNowOn] : [];
  const chosen = await vscode.window.showWarningMessage<vscode.MessageItem>(
    questionText(profile),
    { modal: true, detail },
    ...[confirm, ...offers, keep],
  );
  if (chosen === confirm) return 'confirm';
  return chosen === typeFromNowOn ? 'typeFromNowOn' : 'keep';
}

function questionText(profile: Profile): string {
  return vscode.l10n.t(
    'Cancel ALL open orders on {0} ({1})?',
    untrustedText(profile.name),
    environmentLabel(profile),
  );
}

async function confirmByTypingName(profile: Profile): Promise<boolean> {
  const name = untrustedText(profile.name);
  const answers = await multiStepInput(() => [
    {
      name: 'name',
      title: questionText(profile),
      prompt: vscode.l10n.t(
        'Type “{0}” to cancel all its open orders, or press Escape to keep them.',
        name,
      ),
      validate: (text) =>
        [profile.name, name].includes(text)
          ? undefined
          : vscode.l10n.t('Type “{0}” exactly as shown.', name),
    },
  ]);
  return answers !== undefined;
}
