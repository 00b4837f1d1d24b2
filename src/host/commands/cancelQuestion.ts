import * as vscode from 'vscode';
import type { CancelPlan } from '../../account/cancelAll/plan.ts';
import { environmentLabel, type Profile } from '../../account/profile.ts';
import type { Display } from '../../base/display.ts';
import { askInTurn } from '../profiles/askInTurn.ts';
import { confirmByTypingSetting } from '../settings.ts';
import { quoted } from '../words.ts';
import { planDetail } from './planWords.ts';

/**
 * Asks whether every open order shall be cancelled: a modal question, and for real money, where the
 * person set it so, the profile's name typed instead of its button.
 */
export async function confirmsCancel(
  plan: CancelPlan,
  earlier: CancelPlan | undefined,
  display: Display,
): Promise<boolean> {
  const { profile } = plan.account;
  const isTyped = profile.environment === 'live' && confirmByTypingSetting();
  const yes = {
    title: isTyped
      ? vscode.l10n.t('Type the Profile’s Name …')
      : vscode.l10n.t('Cancel Every Open Order'),
  };
  const keep = { title: vscode.l10n.t('Keep Orders'), isCloseAffordance: true };
  const options = { modal: true, detail: planDetail(plan, earlier, display) };
  const chosen = await vscode.window.showWarningMessage(question(profile), options, yes, keep);
  return chosen === yes && (!isTyped || (await typesName(profile)));
}

function question(profile: Profile): string {
  return vscode.l10n.t(
    'Cancel every open order of {0} ({1})?',
    quoted(profile.name),
    environmentLabel(profile),
  );
}

async function typesName(profile: Profile): Promise<boolean> {
  const name = quoted(profile.name);
  const answers = await askInTurn(() => [
    {
      name: 'name',
      title: question(profile),
      prompt: vscode.l10n.t(
        'Type “{0}” to cancel every open order of it; Escape keeps them.',
        name,
      ),
      check: (text) =>
        text === profile.name ? undefined : vscode.l10n.t('Type “{0}” as it is written.', name),
    },
  ]);
  return answers !== undefined;
}
