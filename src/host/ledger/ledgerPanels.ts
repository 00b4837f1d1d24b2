import { l10n } from 'vscode';
import type { ActiveAccount } from '../../account/session/activeAccount.ts';
import { readLedgerSummary } from '../../ledger/coverage/ledgerSummary.ts';
import type { Ledgers } from '../../ledger/ledgers.ts';
import { errorText } from '../text/failureText.ts';
import type { LiveDocument } from '../webview/documentPanel.ts';
import type { Documents, OpenDocuments } from '../webview/documents.ts';
import type { DisplayState } from '../settings/displayState.ts';
import { accountTab } from '../webview/tab.ts';
import { closedDocument, ledgerDocument, noLedgerDocument } from './ledgerDocument.ts';
import type { AccountLedger } from './openLedger.ts';
import type { ProfileLedgers } from './profileLedgers.ts';

type LedgerPageOptions = {
  readonly active: ActiveAccount;
  readonly display: DisplayState;
  readonly profileLedgers: ProfileLedgers;
  readonly shown: AccountLedger;
  readonly ledgers: Pick<Ledgers, 'bytesOf'>;
  /** Downloads what is missing; reports its own failures. */
  readonly fillGaps: () => void;
};

/** The page of a ledger: that of the account that is open. A read of the account does not change it. */
export function addLedgerPage(documents: Documents, options: LedgerPageOptions): OpenDocuments {
  const { active, shown } = options;
  const source = {
    tab: () => accountTab(l10n.t('Ledger'), active),
    document: () => documentOf(options),
    changes: [active.onDidSwitch, shown.onDidChange, shown.onDidWrite],
  };
  return documents.add({ name: 'ledger', source: () => source });
}

async function documentOf(options: LedgerPageOptions): Promise<LiveDocument> {
  const { active, display, profileLedgers, ledgers, fillGaps } = options;
  if (active.state.kind !== 'open') return closedDocument(display.latest());
  const { session } = active.state;
  const ledger = profileLedgers.open;
  const none = l10n.t('This account has no ledger. Download its history to start one.');
  if (!ledger) return noLedgerDocument(session, none, display.latest());
  const { account, id, reader, writer } = ledger;
  try {
    const summary = await readLedgerSummary(reader, writer);
    const [bytes, now] = [ledgers.bytesOf(id), session.client.serverNow()];
    return ledgerDocument({ account, summary, bytes, now }, display.latest(), fillGaps);
  } catch (error) {
    return noLedgerDocument(account, errorText(error, display.latest()), display.latest());
  }
}
