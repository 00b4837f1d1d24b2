import * as vscode from 'vscode';
import type { CancelOutcome } from '../../account/cancelAll.ts';
import type { Profile } from '../../account/profile.ts';
import type { Display } from '../../base/display.ts';
import type { Documents } from '../documents.ts';
import { canceledOrdersText } from './canceledOrdersText.ts';
import { outcomeMessage } from './cancelWords.ts';

/** Says what became of a cancel-all, and offers the orders that came back, with all their fields. */
export async function reportOutcome(
  profile: Profile,
  outcome: CancelOutcome,
  documents: Documents,
  display: Display,
): Promise<void> {
  const orders = 'canceled' in outcome ? outcome.canceled : [];
  const show = vscode.l10n.t('Show Orders');
  const { severity, text } = outcomeMessage(profile, outcome, display);
  const chosen = await showers[severity](text, ...(orders.length > 0 ? [show] : []));
  if (chosen === show)
    await documents.show(vscode.l10n.t('Cancelled orders.txt'), (shown) =>
      canceledOrdersText(profile, orders, shown),
    );
}

type Shower = (text: string, ...buttons: string[]) => Thenable<string | undefined>;

const showers: Readonly<Record<'information' | 'warning' | 'error', Shower>> = {
  information: (text, ...buttons) => vscode.window.showInformationMessage(text, ...buttons),
  warning: (text, ...buttons) => vscode.window.showWarningMessage(text, ...buttons),
  error: (text, ...buttons) => vscode.window.showErrorMessage(text, ...buttons),
};
