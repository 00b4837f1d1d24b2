import { originOf, type Profile } from '../../account/session/profile.ts';
import type { Display } from '../../base/display.ts';
import type {
  Block,
  Card,
  DocumentButton,
  DocumentTable,
  Section,
} from '../../protocol/document.ts';
import { t } from '../shared/translate.ts';
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

type Beginning = Pick<LiveDocument, 'sections' | 'buttons'>;

/** In place of what is not there: a sentence, and the button to press. */
export function emptyNotice(text: string, button?: Live<DocumentButton>): Live<Block> {
  return { kind: 'notice', tone: 'empty', texts: [text], ...(button && { button }) };
}

/** The same as a section. */
export function advice(text: string, button?: Live<DocumentButton>): Live<Section> {
  return { title: '', notes: [], blocks: [emptyNotice(text, button)] };
}

/** How to begin without an account. */
export function noAccount(): Beginning {
  const text = t(
    'No account is open. The practice account needs no key, and nothing leaves this machine.',
  );
  const open = { action: 'tryPractice', label: t('Open Practice Account') } as const;
  return {
    sections: [advice(text, open)],
    buttons: [
      { action: 'addProfile', label: t('Add Profile…') },
      { action: 'importProfiles', label: t('Import Profiles…') },
      switchButton(),
    ],
  };
}

export function switchButton(): Live<DocumentButton> {
  return { action: 'switchProfile', label: t('Switch Profile…') };
}

/** How to begin without a ledger, or with an empty one. */
export function noLedger(isEmpty = false): Beginning {
  const none = isEmpty ? t('Nothing was downloaded yet.') : t('This account has no ledger.');
  const gives = t(
    'Download the history once, and search, sums, analysis and statements work at once; you see the cost before it starts.',
  );
  return { sections: [advice(`${none} ${gives}`, downloadButton())], buttons: [] };
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
  return { action: 'downloadHistory', label: t('Download History…') };
}
