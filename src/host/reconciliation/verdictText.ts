import { l10n } from 'vscode';
import { cleanText } from '../../base/cleanText.ts';
import { isZero, negated } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import type { DisplayField } from '../../base/fieldPrivacy.ts';
import type { Interval } from '../../base/interval.ts';
import type {
  Contradiction,
  IdentityName,
  IdentityReport,
  ReconciliationReport,
  SubjectReport,
  Verdict,
} from '../../ledger/ledger.ts';
import { verdictCounts } from '../../ledger/reconciliation/contradictions.ts';
import { minTimesHeld } from '../../ledger/reconciliation/learnedReading.ts';
import type { Check, Label } from '../../protocol/document.ts';
import type { CheckedContradiction } from './contradictionMemory.ts';

/** What an identity is called, and what it says. */
export function identityTexts(identity: IdentityName): {
  readonly title: string;
  readonly meaning: string;
} {
  const { t } = l10n;
  return {
    deposited: {
      title: t('Balances'),
      meaning: t(
        'Between two checkpoints, the deposited balance of an asset changes by the sum of its transactions.',
      ),
    },
    position: {
      title: t('Positions'),
      meaning: t(
        'Between two checkpoints, the amount of a position changes by its buys less its sells.',
      ),
    },
    tradeFees: {
      title: t('Trade fees'),
      meaning: t('The fees of the trades are those of the FEE transactions.'),
    },
    realizedPl: {
      title: t('Realised P&L'),
      meaning: t('The realised P&L of the trades is that of the REALIZED_PL transactions.'),
    },
    transferLegs: {
      title: t('Transfers'),
      meaning: t('The two transactions of a transfer between the accounts sum to 0.'),
    },
    filled: {
      title: t('Filled amounts'),
      meaning: t('The filled amount of an order is the sum of its trades.'),
    },
    averageExecutionPrice: {
      title: t('Average prices'),
      meaning: t(
        'The average price of an order is that of its trades, weighted by volume, within its last digit or the 15th.',
      ),
    },
  }[identity];
}

/** Which way of booking was found, where there are several. */
export function readingText(identity: IdentityName, reading: string): string | undefined {
  const { t } = l10n;
  const readings: Partial<Record<IdentityName, Readonly<Record<string, string>>>> = {
    deposited: {
      FUTURE: t('The balances of this exchange follow the FUTURE transactions.'),
      SPOT: t('The balances of this exchange follow the SPOT transactions.'),
      FUTURE_AND_SPOT: t(
        'The balances of this exchange follow the FUTURE and SPOT transactions together.',
      ),
    },
    tradeFees: {
      oppositeSigns: t('On this exchange, a fee and its transaction have opposite signs.'),
      sameSigns: t('On this exchange, a fee and its transaction have the same sign.'),
    },
  };
  return readings[identity]?.[reading];
}

/**
 * What an identity is about: its subject, the field whose privacy its remainder has, and the figure of a trade. A
 * trade confirms a balance by its fee or its realised P&L.
 */
export const identities: Readonly<
  Record<
    IdentityName,
    {
      readonly subject: 'asset' | 'symbol';
      readonly remainder: DisplayField;
      readonly trade: 'fee' | 'rpnl' | 'amount' | 'feeOrRpnl';
    }
  >
> = {
  deposited: { subject: 'asset', remainder: 'deposited', trade: 'feeOrRpnl' },
  position: { subject: 'symbol', remainder: 'amount', trade: 'amount' },
  tradeFees: { subject: 'asset', remainder: 'fee', trade: 'fee' },
  realizedPl: { subject: 'asset', remainder: 'rpnl', trade: 'rpnl' },
  transferLegs: { subject: 'asset', remainder: 'amount', trade: 'amount' },
  filled: { subject: 'symbol', remainder: 'filled', trade: 'amount' },
  averageExecutionPrice: { subject: 'symbol', remainder: 'notional', trade: 'amount' },
};

export function verdictLook(verdict: Verdict): Pick<Check, 'state' | 'word'> {
  const looks = {
    proved: { state: 'done', word: l10n.t('Proved') },
    contradicted: { state: 'failed', word: l10n.t('Contradicted') },
    undecided: { state: 'unknown', word: l10n.t('Undecided') },
  } as const;
  return looks[verdict];
}

/** How many lines have each verdict; what is contradicted comes first. */
export function verdictCountTexts(report: ReconciliationReport, display: Display): Label[] {
  const { t } = l10n;
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
  const { t } = l10n;
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
  const { t } = l10n;
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
  const { t } = l10n;
  const count = display.count(held);
  const rounding = isZero(rounded)
    ? []
    : [
        t(
          'Agrees within float rounding, or the last digit of the figures: the largest remainder is {0}.',
          display.full(identities[identity].remainder, rounded),
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
  return [
    ...(contradictions.length > 1 ? [l10n.t('{0} contradictions. The first one:', count)] : []),
    contradictionText(identity, first, display),
  ];
}

/** Names no sign: in privacy mode it is hidden with its figure. */
function contradictionText(
  identity: IdentityName,
  { key, from, to }: Contradiction,
  display: Display,
): string {
  const { t } = l10n;
  const times = timesOf({ from, to }, display);
  const name = cleanText(key ?? '');
  switch (identity) {
    case 'deposited':
    case 'position':
      return t('From {0} to {1}, the rows do not add up to the change.', ...times);
    case 'tradeFees':
    case 'realizedPl':
      return t('From {0} to {1}, trades and transactions do not agree.', ...times);
    case 'transferLegs':
      return t('Transfer {2}, from {0} to {1}: its transactions do not sum to 0.', ...times, name);
    case 'filled':
    case 'averageExecutionPrice':
      return t('Order {2}, from {0} to {1}: it does not agree with its trades.', ...times, name);
  }
}

function undecidedText(
  report: IdentityReport,
  { reason, withoutTrade }: SubjectReport,
  display: Display,
): string {
  const { t } = l10n;
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
