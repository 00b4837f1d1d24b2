import { cleanText } from '../../base/cleanText.ts';
import { absolute, difference, isSame, negated, type NumberText } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import type { DisplayField } from '../../base/fieldPrivacy.ts';
import type { Trade } from '../../exchange/records.ts';
import type {
  Candidate,
  CandidateRow,
  Contradiction,
  IdentityName,
  LedgerHistory,
  LedgerRecord,
} from '../../ledger/ledger.ts';
import type { Finding } from '../../protocol/document.ts';
import { ledgerHistoryLabel } from '../ledger/ledgerText.ts';
import { t } from '../shared/translate.ts';
import type { Action, Live } from '../webview/documentPanel.ts';
import { identityLook } from './verdictText.ts';
import { rowsOfInterval, rowWithin, type StoredRows } from './storedRows.ts';

type CandidateContext = {
  readonly identity: IdentityName;
  readonly histories: readonly LedgerHistory[];
  /** The asset or symbol. */
  readonly subject: string;
  readonly contradiction: Contradiction;
  readonly display: Display;
  /** Names the candidate, also among those of other computations. */
  readonly place: string;
  readonly show: (rows: StoredRows) => void;
};

/** One explanation of a contradiction, with the records that it is about. */
export function candidateFinding(candidate: Candidate, context: CandidateContext): Live<Finding> {
  const { kind, count, rows, isWitnessed } = candidate;
  const { contradiction, display, place, show } = context;
  return {
    title: titleOf(candidate, context),
    notes: [
      ...(count > 1 ? [t('{0} rows fit equally.', display.count(count))] : []),
      ...(count > rows.length ? [t('The first {0} are shown.', display.count(rows.length))] : []),
      ...(isWitnessed && kind !== 'withoutTransaction' ? [t('Another record confirms this.')] : []),
    ],
    rows: rows.map((row, index) => ({
      text: rowText(row, context),
      button: {
        action: `show ${place} ${index}`,
        label: t('Show Row'),
        run: () => show(rowWithin(contradiction, row)),
      },
    })),
    buttons: rows.length === 0 ? intervalButtons(context) : [],
  };
}

/** Where a row is missing, those of its interval can be looked through. */
function intervalButtons(context: CandidateContext): Action[] {
  const { identity, histories, subject, contradiction, place, show } = context;
  return histories.map((history, index) => ({
    action: `show ${place} ${index}`,
    label:
      histories.length === 1
        ? t('Show Rows of This Interval')
        : t('Show Rows of This Interval · {0}', ledgerHistoryLabel(history)),
    run: () => show(rowsOfInterval(history, identity, subject, contradiction)),
  }));
}

function titleOf(
  { kind, amount }: Candidate,
  { identity, contradiction: { remainder }, display }: CandidateContext,
): string {
  const field = identityLook(identity).remainder;
  switch (kind) {
    case 'withoutTransaction':
      return t('A transaction of {0} is missing for this record:', display.full(field, remainder));
    case 'countedTwice':
      return t('A row is there twice:');
    case 'flippedSign':
      return t('A row has the wrong sign:');
    case 'alteredAmount':
      return t('A row has the wrong amount:');
    case 'missing':
      return t('A row of {0} is missing.', display.full(field, amount));
  }
}

function rowText(row: CandidateRow, context: CandidateContext): string {
  const { history, record } = row;
  const { display } = context;
  const figure = figureOf(row, context);
  const right = rightFigure(row, figure.figure, context.contradiction.remainder);
  const shown = labelled(figure, display);
  return [
    historyText(history),
    cleanText(idOf(record)),
    display.time('updatedAt' in record ? record.updatedAt : record.time),
    right === null ? shown : t('{0}, would fit as {1}', shown, display.full(figure.field, right)),
  ].join(' · ');
}

function idOf(record: LedgerRecord): string {
  if ('tradeId' in record) return record.tradeId;
  if ('lotId' in record) return record.lotId;
  return 'orderId' in record ? record.orderId : `${record.type} ${record.transactionId}`;
}

function historyText(history: LedgerHistory): string {
  return {
    orders: t('Order'),
    trades: t('Trade'),
    lots: t('Lot'),
    futureTransactions: t('FUTURE transaction'),
    spotTransactions: t('SPOT transaction'),
  }[history];
}

type RecordFigure = { readonly field: DisplayField; readonly figure: NumberText | null };

/** The figure of a record that an identity is about. */
function figureOf({ record }: CandidateRow, context: CandidateContext): RecordFigure {
  if ('filled' in record) return { field: 'filled', figure: record.filled };
  if (!('fee' in record)) return { field: 'amount', figure: record.amount };
  const field = tradeField(record, context);
  return { field, figure: record[field] };
}

function tradeField(
  { fee }: Trade,
  { identity, contradiction: { remainder } }: CandidateContext,
): 'fee' | 'rpnl' | 'amount' {
  const field = identityLook(identity).trade;
  if (field !== 'feeOrRpnl') return field;
  return fee !== null && isSame(absolute(fee), absolute(remainder)) ? 'fee' : 'rpnl';
}

function labelled({ field, figure }: RecordFigure, display: Display): string {
  const shown = display.full(field, figure);
  if (field === 'fee') return t('Fee {0}', shown);
  return field === 'rpnl' ? t('Realised P&L {0}', shown) : shown;
}

/** An identity may count a figure with its sign turned, or multiplied: such a product is not shown. */
function rightFigure(
  { rightAmount }: CandidateRow,
  figure: NumberText | null,
  remainder: NumberText,
): NumberText | null {
  if (rightAmount === null || figure === null) return null;
  const counted = difference(rightAmount, remainder);
  if (isSame(counted, figure)) return rightAmount;
  return isSame(counted, negated(figure)) ? negated(rightAmount) : null;
}
