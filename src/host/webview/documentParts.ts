import { l10n } from 'vscode';
import { originOf, type Profile } from '../../account/session/profile.ts';
import type { Display } from '../../base/display.ts';
import type { Card, DocumentButton, DocumentTable } from '../../protocol/document.ts';
import { pageAccount } from '../text/messageText.ts';
import type { Live, LiveDocument } from './documentPanel.ts';

/** A page without content, of an account or of none. */
export function emptyDocument(title: string, display: Display, profile?: Profile): LiveDocument {
  return {
    title,
    key: '',
    account: profile ? pageAccount(profile, originOf(profile)) : null,
    time: null,
    notes: [],
    buttons: [],
    sections: [],
    display: display.settings,
  };
}

type Beginning = Pick<LiveDocument, 'notes' | 'buttons'>;

/** How to begin without an account. */
export function noAccount(): Beginning {
  const { t } = l10n;
  return {
    notes: [t('No account is open.')],
    buttons: [
      { action: 'tryPractice', label: t('Open Practice Account') },
      { action: 'switchProfile', label: t('Switch Profile…') },
    ],
  };
}

/** How to begin without a ledger, or with one that could not be read. */
export function noLedger(problem?: string): Beginning {
  const none = l10n.t('This account has no ledger. Download its history to start one.');
  return { notes: [problem ?? none], buttons: [downloadButton()] };
}

/** Columns of text, then of figures. */
export function tableColumns(
  texts: readonly string[],
  figures: readonly string[] = [],
): Live<DocumentTable['columns']> {
  return [
    ...texts.map((label) => ({ label, isNumeric: false })),
    ...figures.map((label) => ({ label, isNumeric: true })),
  ];
}

export function card(
  label: string,
  lines: Live<Card['lines']>,
  notes: readonly string[] = [],
): Live<Card> {
  return { label, lines, notes };
}

export function downloadButton(): Live<DocumentButton> {
  return { action: 'downloadHistory', label: l10n.t('Download History…') };
}
