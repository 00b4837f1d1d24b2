import { cleanText } from '../../base/cleanText.ts';
import { isZero, negated } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import type { DisplayField } from '../../base/fieldPrivacy.ts';
import type { Interval } from '../../base/interval.ts';
import {
  minTimesHeld,
  type IdentityName,
  type IdentityReport,
  type ReconciliationReport,
  type SubjectReport,
  type Verdict,
} from '../../ledger/ledger.ts';
import { verdictCounts } from '../../ledger/reconciliation/contradictions.ts';
import type { Check, Label } from '../../protocol/document.ts';
import { t } from '../shared/translate.ts';
import type { CheckedContradiction } from './contradictionMemory.ts';

/** What an identity is called and says, and what it is about. */
type IdentityLook = {
  readonly title: string;
  readonly meaning: string;
  readonly subject: 'asset' | 'symbol';
  /** The field whose privacy its remainder has. */
  readonly remainder: DisplayField;
  /** The figure of a trade, which confirms a balance by its fee or its realised P&L. */
  readonly trade: 'fee' | 'rpnl' | 'amount' | 'feeOrRpnl';
  /** Where there are several ways of booking, each of them. */
  readonly readings?: Readonly<Record<string, string>>;
  /** Names no sign: in privacy mode it is hidden with its figure. */
  readonly contradiction: (from: string, to: string, key: string) => string;
};

export function identityLook(identity: IdentityName): IdentityLook {
  const changeDiffers = (...times: [from: string, to: string, key: string]): string =>
    t('From {0} to {1}, the rows do not add up to the change.', ...times);
  const sidesDiffer: typeof changeDiffers = (...times) =>
    t('From {0} to {1}, trades and transactions do not agree.', ...times);
  const orderDiffers: typeof changeDiffers = (...times) =>
    t('Order {2}, from {0} to {1}: it does not agree with its trades.', ...times);
  const looks: Readonly<Record<IdentityName, IdentityLook>> = {
    deposited: {
      ...{ subject: 'asset', remainder: 'deposited', trade: 'feeOrRpnl' },
      title: t('Balances'),
      meaning: t(
        'Between two checkpoints, the deposited balance of an asset changes by the sum of its transactions.',
      ),
      readings: {
        FUTURE: t('The balances of this exchange follow the FUTURE transactions.'),
        SPOT: t('The balances of this exchange follow the SPOT transactions.'),
        FUTURE_AND_SPOT: t(
          'The balances of this exchange follow the FUTURE and SPOT transactions together.',
        ),
      },
      contradiction: changeDiffers,
    },
    position: {
      ...{ subject: 'symbol', remainder: 'amount', trade: 'amount' },
      title: t('Positions'),
      meaning: t(
        'Between two checkpoints, the amount of a position changes by its buys less its sells.',
      ),
      contradiction: changeDiffers,
    },
    tradeFees: {
      ...{ subject: 'asset', remainder: 'fee', trade: 'fee' },
      title: t('Trade fees'),
      meaning: t('The fees of the trades are those of the FEE transactions.'),
      readings: {
        oppositeSigns: t('On this exchange, a fee and its transaction have opposite signs.'),
        sameSigns: t('On this exchange, a fee and its transaction have the same sign.'),
      },
      contradiction: sidesDiffer,
    },
    realizedPl: {
      ...{ subject: 'asset', remainder: 'rpnl', trade: 'rpnl' },
      title: t('Realised P&L'),
      meaning: t('The realised P&L of the trades is that of the REALIZED_PL transactions.'),
      contradiction: sidesDiffer,
    },
    transferLegs: {
      ...{ subject: 'asset', remainder: 'amount', trade: 'amount' },
      title: t('Transfers'),
      meaning: t('The two transactions of a transfer between the accounts sum to 0.'),
      contradiction: (...times) =>
        t('Transfer {2}, from {0} to {1}: its transactions do not sum to 0.', ...times),
    },
    filled: {
      ...{ subject: 'symbol', remainder: 'filled', trade: 'amount' },
      title: t('Filled amounts'),
      meaning: t('The filled amount of an order is the sum of its trades.'),
      contradiction: orderDiffers,
    },
    averageExecutionPrice: {
      ...{ subject: 'symbol', remainder: 'notional', trade: 'amount' },
      title: t('Average prices'),
      meaning: t(
        'The average price of an order is that of its trades, weighted by volume, within its last digit or the 15th.',
      ),
      contradiction: orderDiffers,
    },
  };
  return looks[identity];
}

export function verdictLook(verdict: Verdict): Pick<Check, 'state' | 'word'> {
  const looks = {
    proved: { state: 'done', word: t('Proved') },
    contradicted: { state: 'failed', word: t('Contradicted') },
    undecided: { state: 'unknown', word: t('Undecided') },
  } as const;
  return looks[verdict];
}

/** How many lines have each verdict; what is contradicted comes first. */
export function verdictCountTexts(report: ReconciliationReport, display: Display): Label[] {
  const { proved, contradicted, undecided } = verdictCounts(report);
  const count = (value: number): string => display.count(value);
  return [
    ...(contradicted > 0
      ? [{ text: t('{0} contradicted', count(contradicted)), tone: 'critical' as const }]
      : []),
    { text: t('{0} proved', count(proved)) },
    ...(undecided > 0 ? [{ text: t('{0} undecided', count(undecided)) }] : []),
  ];
}

/** Where the records agree or do not. */
export function verdictNotes(
  identity: IdentityName,
  subject: SubjectReport,
  display: Display,
): string[] {
  return subject.verdict === 'proved'
    ? provedNotes(identity, subject, display)
    : contradictedNotes(identity, subject, display);
}

/** Why nothing can be said of these, each sentence once; of none of them: what is needed for a first one. */
export function undecidedTexts(
  report: IdentityReport,
  subjects: readonly SubjectReport[],
  display: Display,
): string[] {
  const names = (of: readonly SubjectReport[]): string =>
    of.map(({ subject }) => cleanText(subject)).join(', ');
  const bySentence = Map.groupBy(subjects, (each) => undecidedText(report, each, display));
  if (bySentence.size === 0) return [needText(report, display)];
  return [...bySentence].map(([sentence, of]) =>
    bySentence.size === 1 ? sentence : `${names(of)}: ${sentence}`,
  );
}

/** How often records of a topic must agree before it can prove or contradict, and how often they did. */
function needText({ held, failed }: IdentityReport, display: Display): string {
  const counts = [display.count(minTimesHeld), display.count(held)] as const;
  const need = t('needs {0} comparisons that agree, {1} so far', ...counts);
  return failed === 0 ? need : `${need} · ${t('{0} did not agree', display.count(failed))}`;
}

/** Whether the exchange was asked again about a contradiction. */
export function readAgainNotes(
  isReading: boolean,
  checked: CheckedContradiction | undefined,
  display: Display,
): string[] {
  if (isReading) return [t('This interval is being read again from the exchange…')];
  const readAt = checked?.readAt ?? null;
  if (readAt === null) return [];
  return [t('Read again at {0}: still contradicted.', display.timeToSecond(readAt))];
}

function provedNotes(
  identity: IdentityName,
  { held, periods, rounded }: SubjectReport,
  display: Display,
): string[] {
  const count = display.count(held);
  const rounding = isZero(rounded)
    ? []
    : [
        t(
          'Agrees within float rounding, or the last digit of the figures: the largest remainder is {0}.',
          display.full(identityLook(identity).remainder, rounded),
        ),
      ];
  const [first, last] = [periods[0], periods.at(-1)];
  if (!first || !last)
    return [
      identity === 'transferLegs'
        ? t('Transfers that agree: {0}.', count)
        : t('Orders that agree: {0}.', count),
      ...rounding,
    ];
  const times = timesOf({ from: first.from, to: last.to }, display);
  return [
    t('From {0} to {1}. Intervals with rows that agree: {2}.', ...times, count),
    ...(periods.length > 1
      ? [t('Rows and figures agree in {0} separate periods.', display.count(periods.length))]
      : []),
    ...rounding,
  ];
}

function contradictedNotes(
  identity: IdentityName,
  { contradictions }: SubjectReport,
  display: Display,
): string[] {
  const [first] = contradictions;
  if (!first) return [];
  const count = display.count(contradictions.length);
  const { contradiction } = identityLook(identity);
  return [
    ...(contradictions.length > 1 ? [t('{0} contradictions. The first one:', count)] : []),
    contradiction(...timesOf(first, display), cleanText(first.key ?? '')),
  ];
}

function undecidedText(
  report: IdentityReport,
  { reason, withoutTrade }: SubjectReport,
  display: Display,
): string {
  const { identity } = report;
  const [first = { from: 0, to: 0, remainder: '0' }] = withoutTrade;
  switch (reason) {
    case 'doesNotApply':
      return t('This identity does not apply to this exchange.');
    case 'notLearned':
      return needText(report, display);
    case 'otherReading':
      return t('Another way of booking explains it better: which one applies is not known.');
    case 'unclear':
      return identity === 'position'
        ? t('Not judged: a liquidation, or too many rows with the time of a checkpoint.')
        : t('Too many rows have the time of a checkpoint: they may be on either side of it.');
    case 'feeWithoutTrade':
      return t(
        'From {0} to {1}, FEE transactions of {2} belong to no trade. Intervals with such fees: {3}.',
        ...timesOf(first, display),
        display.full('fee', negated(first.remainder)),
        display.count(withoutTrade.length),
      );
    case 'notCovered':
    case null:
      return ['deposited', 'position'].includes(identity)
        ? t('No two checkpoints lie in a period whose rows are complete.')
        : t('Nothing to compare lies in a period whose rows are complete.');
  }
}

function timesOf({ from, to }: Interval, display: Display): [string, string] {
  return [display.time(from), display.time(to)];
}
