import { l10n } from 'vscode';
import { environmentLabel, originOf, type Profile } from '../../account/session/profile.ts';
import { cleanText, escapeInvisible } from '../../base/cleanText.ts';
import { unknownText } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import type { IdentityReport, ReconciliationReport, SubjectReport } from '../../ledger/ledger.ts';
import type {
  ReconciliationDocument,
  ReconciliationLine,
  ReconciliationSection,
} from '../../protocol/reconciliationMessages.ts';
import { errorText } from '../text/failureText.ts';
import { candidateTexts } from './candidateText.ts';
import { identityTexts, readingText, remainderFields } from './identityText.ts';
import { verdictNotes, verdictWord } from './verdictText.ts';

/** What is known of the reconciliation of the account that is open. */
export type ReconciliationState =
  | { readonly kind: 'noLedger' }
  | { readonly kind: 'computing' }
  | { readonly kind: 'failed'; readonly error: unknown }
  | {
      readonly kind: 'computed';
      readonly report: ReconciliationReport;
      /** In epoch milliseconds. */
      readonly computedAt: number;
      /** Rows or periods were read since. */
      readonly isOutdated: boolean;
    };

/** The reconciliation of a profile's ledger; undefined if no account is open. */
export function reconciliationDocument(
  profile: Profile | undefined,
  state: ReconciliationState,
  display: Display,
): ReconciliationDocument {
  const { t } = l10n;
  return {
    title: t('Reconciliation'),
    account: profile ? accountOf(profile) : null,
    time: timeText(state, display),
    notes: profile ? notesOf(state, display) : [t('No account is open.')],
    sections:
      profile && state.kind === 'computed'
        ? state.report.map((report) => sectionOf(report, display))
        : [],
    remainderLabel: t('Remainder'),
    candidatesLabel: t('What may be wrong, the likeliest first'),
    refresh: t('Refresh'),
    hiddenWord: t('hidden'),
  };
}

function accountOf(profile: Profile): NonNullable<ReconciliationDocument['account']> {
  return {
    environment: environmentLabel(profile),
    profile: cleanText(escapeInvisible(profile.name)),
    origin: cleanText(originOf(profile)),
  };
}

function timeText(state: ReconciliationState, display: Display): string {
  if (state.kind === 'computing') return l10n.t('Comparing the records…');
  if (state.kind !== 'computed') return '';
  return l10n.t('Computed on {0}.', display.timeToSecond(String(state.computedAt)));
}

function notesOf(state: ReconciliationState, display: Display): string[] {
  const { t } = l10n;
  if (state.kind === 'noLedger')
    return [t('This account has no ledger. Download its history to start one.')];
  if (state.kind === 'failed') return [errorText(state.error, display)];
  if (state.kind === 'computed' && state.isOutdated)
    return [t('The ledger has changed since. Refresh to compare it again.')];
  return [];
}

function sectionOf(report: IdentityReport, display: Display): ReconciliationSection {
  const { identity, reading, applicability, held, failed, subjects } = report;
  const { t } = l10n;
  const { title, meaning } = identityTexts(identity);
  const learned = applicability === 'applies' ? readingText(identity, reading) : undefined;
  const evidence = t(
    'Comparisons that held on this exchange: {0}; that failed: {1}.',
    display.count(held),
    display.count(failed),
  );
  return {
    title,
    notes: [
      meaning,
      ...(learned === undefined ? [] : [learned]),
      evidence,
      ...(subjects.length === 0 ? [t('There is nothing to compare yet.')] : []),
    ],
    lines: subjects.map((subject) => lineOf(report, subject, display)),
  };
}

function lineOf(
  report: IdentityReport,
  subject: SubjectReport,
  display: Display,
): ReconciliationLine {
  const { identity } = report;
  const { verdict, candidates, contradictions } = subject;
  const remainder = contradictions[0]?.remainder ?? '0';
  const shown = display.full(remainderFields[identity], remainder);
  return {
    label: cleanText(subject.subject),
    state: verdict,
    word: verdictWord(verdict),
    remainder: verdict === 'undecided' ? unknownText : shown,
    notes: verdictNotes(report, subject, display),
    candidates: candidates.map((each) => candidateTexts(each, { identity, remainder, display })),
  };
}
