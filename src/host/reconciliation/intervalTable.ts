import { l10n } from 'vscode';
import { cleanText } from '../../base/cleanText.ts';
import { difference, isZero, unknownText, type NumberText } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import type { IdentityName, Interval, SubjectReport } from '../../ledger/ledger.ts';
import type { DocumentTable, Label } from '../../protocol/documentTable.ts';
import type { ReconciliationLine } from '../../protocol/reconciliationMessages.ts';
import { remainderFields } from './identityText.ts';

/** How many contradictions without checkpoints are listed. */
const mostContradictions = 30;

/** What was compared in each interval, the contradicted ones first, then the newest; null if nothing was. The page opens it at first if `isOpen`. */
export function intervalTable(
  identity: IdentityName,
  subject: SubjectReport,
  isOpen: boolean,
  display: Display,
): ReconciliationLine['intervals'] {
  const { intervals, contradictions } = subject;
  if (intervals.length > 0) return { ...checkpointTable(identity, subject, display), isOpen };
  return contradictions.length > 1
    ? { ...contradictionTable(identity, subject, display), isOpen }
    : null;
}

function checkpointTable(
  identity: IdentityName,
  { intervals, intervalCount }: SubjectReport,
  display: Display,
): DocumentTable {
  const { t } = l10n;
  const shown = display.count(intervals.length);
  const figure = (value: NumberText): Label => ({
    text: display.full(remainderFields[identity], value),
  });
  return {
    title: t('Checkpoints and intervals: {0}', display.count(intervalCount)),
    notes: [
      t('Intervals in which nothing changed are left out.'),
      ...(intervalCount > intervals.length
        ? [t('{0} are shown: the first contradicted ones and the newest others.', shown)]
        : []),
    ],
    columns: [
      { label: t('From'), isNumeric: false },
      { label: t('To'), isNumeric: false },
      { label: identity === 'deposited' ? t('Deposited') : t('Amount'), isNumeric: true },
      { label: t('Change'), isNumeric: true },
      { label: t('Sum of its rows'), isNumeric: true },
      { label: t('Remainder'), isNumeric: true },
    ],
    rows: intervals
      .toReversed()
      .toSorted((one, other) => rankOf(one) - rankOf(other))
      .map(({ figure: after, change, remainder, ...interval }) => [
        ...timeLabels(interval, display),
        figure(after),
        figure(change),
        figure(difference(change, remainder)),
        { ...figure(remainder), ...(isZero(remainder) ? {} : { tone: 'loss' as const }) },
      ]),
  };
}

function rankOf({ remainder }: SubjectReport['intervals'][number]): number {
  return isZero(remainder) ? 1 : 0;
}

function contradictionTable(
  identity: IdentityName,
  { contradictions }: SubjectReport,
  display: Display,
): DocumentTable {
  const { t } = l10n;
  const listed = contradictions.slice(0, mostContradictions);
  return {
    title: t('Contradictions: {0}', display.count(contradictions.length)),
    notes:
      listed.length < contradictions.length
        ? [t('The first {0} are shown.', display.count(listed.length))]
        : [],
    columns: [
      { label: t('From'), isNumeric: false },
      { label: t('To'), isNumeric: false },
      { label: t('Order or transfer'), isNumeric: false },
      { label: t('Remainder'), isNumeric: true },
    ],
    rows: listed.map(({ key, remainder, ...interval }) => [
      ...timeLabels(interval, display),
      { text: key === null ? unknownText : cleanText(key) },
      { text: display.full(remainderFields[identity], remainder), tone: 'loss' as const },
    ]),
  };
}

function timeLabels({ from, to }: Interval, display: Display): Label[] {
  return [from, to].map((time) => ({
    text: display.time(String(time)),
    detail: display.timeInBothZones(String(time)),
  }));
}
