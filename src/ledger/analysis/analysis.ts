import type { FieldOfKind } from '../../api/fields.ts';
import { negated, type NumberText } from '../../base/decimal.ts';
import type { Interval } from '../../base/interval.ts';
import type { AccountType, Trade } from '../../exchange/records.ts';
import type { CoverageState } from '../coverage/coverageParts.ts';
import type { LedgerHistory } from '../ledger.ts';
import type { AssetBasis } from '../storage/symbolAssets.ts';

export const analysisGroups = ['day', 'week', 'month'] as const;
export type AnalysisGroup = (typeof analysisGroups)[number];

export const analysisSplits = ['asset', 'symbol', 'side', 'type'] as const;
export type AnalysisSplit = (typeof analysisSplits)[number];

type ViewFacts = {
  /** What its records can be split by; the first one is always done. */
  readonly splits: readonly AnalysisSplit[];
  /** Whether it has figures of each day, week or month. */
  readonly hasBuckets: boolean;
  /** Whether the positions of all time are rebuilt, which takes long: for numbers only if positions are asked for. */
  readonly rebuilds: boolean;
  /** The histories that its figures are made of; `transactions` of the account that is asked for. */
  readonly histories: readonly (LedgerHistory | 'transactions')[];
  /** What it adds up or compares of trades; of transactions it is the amount. */
  readonly tradeFigures: readonly FieldOfKind<'trade', 'number'>[];
};

const ofTrades = {
  splits: ['asset', 'symbol', 'side', 'type'],
  hasBuckets: true,
  rebuilds: false,
  histories: ['trades'],
  tradeFigures: [],
} as const;
const ofTransactions = { ...ofTrades, histories: ['futureTransactions'] } as const;
const ofBoth = { ...ofTrades, histories: ['trades', 'futureTransactions'] } as const;
const ofPositions = { ...ofBoth, splits: [], hasBuckets: false, rebuilds: true } as const;
const allFigures = ['amount', 'price', 'fee', 'rpnl'] as const;

/** What can be analysed. */
export const analysisViews = {
  realizedPl: { ...ofTrades, tradeFigures: ['rpnl'] },
  fees: { ...ofBoth, tradeFigures: ['fee'] },
  funding: { ...ofTransactions, splits: ['asset', 'symbol'] },
  cashFlow: { ...ofTransactions, splits: ['asset', 'type'], histories: ['transactions'] },
  cash: { ...ofTransactions, splits: ['asset'], histories: ['transactions'] },
  equity: { ...ofTransactions, splits: [] },
  numbers: { ...ofBoth, splits: ['asset'], rebuilds: true, tradeFigures: ['fee', 'rpnl'] },
  feeAudit: {
    ...ofTrades,
    splits: [],
    hasBuckets: false,
    tradeFigures: ['amount', 'price', 'fee'],
  },
  positions: { ...ofPositions, tradeFigures: allFigures },
  bySymbol: { ...ofPositions, tradeFigures: allFigures },
  calendar: { ...ofPositions, tradeFigures: ['fee', 'rpnl'] },
} as const satisfies Readonly<Record<string, ViewFacts>>;

export type AnalysisView = keyof typeof analysisViews;

export function factsOf(view: AnalysisView): ViewFacts {
  return analysisViews[view];
}

/** Whether the positions of all time have to be rebuilt. */
export function rebuildsPositions({ view, positions }: AnalysisRequest): boolean {
  return factsOf(view).rebuilds && (view !== 'numbers' || positions !== undefined);
}

export type AnalysisRequest<View extends AnalysisView = AnalysisView> = {
  readonly view: View;
  /** An open start is that of the oldest row; an open end is now, or that of the newest row. */
  readonly period: Interval;
  /** In epoch milliseconds of the exchange: nothing later is missing. */
  readonly now: number;
  /** `UTC` or an IANA name: its days, weeks from Monday on, and months are the buckets. */
  readonly zone: string;
  readonly groupBy: AnalysisGroup;
  /** As `asset` if the view has no such split. */
  readonly splitBy: AnalysisSplit;
  /** Whose cash and cash flow; all other figures are of FUTURE. */
  readonly account: AccountType;
  /** Which of them, unless all. Only with it, numbers are per position, too. */
  readonly positions?: PositionFilter;
};

export type PositionFilter = {
  readonly symbol?: string;
  readonly direction?: 'LONG' | 'SHORT';
  /** By gross P&L. */
  readonly result?: 'won' | 'lost' | 'undecided';
  /** When it was open. */
  readonly moment?: number;
  /** It was open at a fill of this order of the symbol, or when that liquidated without one. */
  readonly orderId?: string;
  /** All of them in place of the newest ones, as JSON that a window parses piece by piece. */
  readonly inPieces?: true;
};

/** A period that is not known to be complete. *Fill Gaps* reads it. */
export type AnalysisGap = Interval & {
  readonly history: LedgerHistory;
  readonly completeness: Exclude<CoverageState, 'complete'>;
  /** Why rows may be missing, as the read said; null if nothing was read. */
  readonly reason: string | null;
};

/**
 * What is known of one history from the start of the period, or 0 if the request leaves it open, to its end or now.
 * Oldest first. What is in neither was read, and rows may be missing.
 */
export type HistoryCoverage = {
  readonly history: LedgerHistory;
  readonly complete: readonly Interval[];
  /** Without the last hour before now, as in `gaps`. */
  readonly neverRead: readonly Interval[];
  /** When the period was read: where records change, its part that was read longest ago. Null if none was. */
  readonly asOf: number | null;
  /** Rows whose time cannot be read: they are in no figure. */
  readonly undatedRows: number;
  /** Rows of the period that lack a figure of the view, such as a fee: what is added up is without them. */
  readonly lackingRows: number;
};

/** What is known of the rows that the figures are made of. */
export type AnalysisCoverage = {
  /** Where all of its histories are complete, oldest first. A `from` of 0 is before every record. */
  readonly complete: readonly Interval[];
  readonly byHistory: readonly HistoryCoverage[];
  /**
   * Where rows may be missing, oldest first. The last hour before `now` is none if only it was not read yet:
   * `complete` says up to where it was.
   */
  readonly gaps: readonly AnalysisGap[];
  /** From the first row of these histories to the last one, also outside of the period; null without any. */
  readonly recorded: Interval | null;
};

/** The rows behind a figure: with the period of a bucket, or of the analysis, they can be opened. */
export type RowSelection = {
  readonly history: LedgerHistory;
  /** Field of the record, and the values that it may have. */
  readonly filters: Readonly<Record<string, readonly string[]>>;
  /** False if the selection has other rows as well. */
  readonly isExact: boolean;
};

/**
 * What a series counts. `feePaid` is positive and `feeRebate` negative; `feeAsSent` is of trades while the sign of
 * fees is not known. `liquidationFee`, `funding` and `cashFlow` are signed as transactions: what the account pays
 * is negative.
 */
export type SeriesKind =
  | 'realizedPl'
  | 'feePaid'
  | 'feeRebate'
  | 'feeAsSent'
  | 'liquidationFee'
  | 'funding'
  | 'cashFlow';

/** The figures of one asset, split or not. Assets are never added. */
export type AnalysisSeries = {
  readonly kind: SeriesKind;
  readonly asset: string;
  readonly assetBasis: AssetBasis;
  /**
   * The symbol, side or type that the series is of; null if it is not split, and for what no record says: a
   * liquidation fee, and funding while several positions may have been open.
   */
  readonly key: string | null;
  readonly total: NumberText;
  readonly rows: number;
  /** Of each bucket, exact; null without a row. */
  readonly values: readonly (NumberText | null)[];
  readonly counts: readonly number[];
  readonly selection: RowSelection;
};

/** As people read it: what was paid is negative, as in transactions. The fees of trades are counted the other way. */
export function signedAsPaid<Series extends Pick<AnalysisSeries, 'kind' | 'total' | 'values'>>(
  series: Series,
): Series {
  const { kind, values, total } = series;
  if (kind !== 'feePaid' && kind !== 'feeRebate') return series;
  return {
    ...series,
    values: values.map((value) => value && negated(value)),
    total: negated(total),
  };
}

type Analysed<View extends AnalysisView> = {
  readonly view: View;
  /** Its ends, also if the request left them open. */
  readonly period: Interval;
  readonly coverage: AnalysisCoverage;
};

type Bucketed = {
  /** A longer one than asked for if there are more than 4,000 buckets. */
  readonly groupBy: AnalysisGroup;
  /** Oldest first, without gaps, cut at the ends of the period. */
  readonly buckets: readonly Interval[];
};

export type SumsView = 'realizedPl' | 'fees' | 'funding' | 'cashFlow';

export type SumsAnalysis = {
  readonly [View in SumsView]: Analysed<View> &
    Bucketed & {
      /** By asset, then key, then kind. */
      readonly series: readonly AnalysisSeries[];
    };
}[SumsView];

/** The running sum of every transaction of an asset. */
export type CashCurve = {
  readonly asset: string;
  /**
   * `deposited`: it follows from the deposited balance of a checkpoint. `balance`: all earlier transactions are in
   * `opening`. `change`: earlier ones are not known, it is 0.
   */
  readonly basis: 'deposited' | 'balance' | 'change';
  readonly opening: NumberText;
  /** At the end of each bucket, exact. */
  readonly values: readonly NumberText[];
  /** Transactions in each bucket. */
  readonly counts: readonly number[];
  readonly selection: RowSelection;
};

export type CashAnalysis = Analysed<'cash'> & Bucketed & { readonly curves: readonly CashCurve[] };

/** The stored samples of a bucket, in their order in time or size. */
export type EquityBucket = {
  readonly first: NumberText;
  readonly lowest: NumberText;
  readonly highest: NumberText;
  readonly last: NumberText;
  readonly samples: number;
};

/** Why a drawdown is not computable. */
export type DrawdownProblem =
  /** Fewer than two samples. */
  | 'noSamples'
  /** The transactions are not complete over the samples: a deposit may be unknown. */
  | 'notCovered'
  /** There were deposits or withdrawals, and the asset of `equity` is unknown. */
  | 'unknownUnit'
  /** There were deposits or withdrawals, and it is not learned which transactions the balance follows. */
  | 'notLearned'
  /** Money came or went, and the samples around do not show it as the transactions do. */
  | 'unexplainedFlow';

/** `amount` is negative: what the equity was below its peak. */
type Drop = Interval & { readonly amount: NumberText };

export type Drawdown =
  | { readonly problem: DrawdownProblem }
  | {
      readonly problem: null;
      /** How many moments with deposits, withdrawals or transfers were taken out. */
      readonly flows: number;
      /**
       * At each drawn sample: the fall of equity, excluding flows, from its highest before; 0 or negative.
       * Null where a flow may be in the sample or not.
       */
      readonly values: readonly (NumberText | null)[];
      /** From its peak to its lowest sample; null if equity never fell. */
      readonly deepest: Drop | null;
      /** From its peak to the first sample that reaches it again, or the last; with its deepest fall. */
      readonly longest: (Drop & { readonly isOver: boolean }) | null;
    };

/** From stored samples only. */
export type EquityAnalysis = Analysed<'equity'> &
  Bucketed & {
    /** What `equity` counts in, as far as the samples prove it; null if they do not. */
    readonly unit: string | null;
    /**
     * Samples to draw, oldest first, in epoch milliseconds: all, or of many the first, lowest, highest, deepest
     * below its peak and last of each part.
     */
    readonly times: readonly number[];
    readonly values: readonly NumberText[];
    /** Between two neighbouring samples: nothing is known there. */
    readonly gaps: readonly Interval[];
    readonly groups: readonly (EquityBucket | null)[];
    readonly drawdown: Drawdown;
  };

/** A statistic of a sample; null if it is not defined: nothing to divide, or a divisor that is not positive. */
export type Statistic = {
  readonly value: NumberText | null;
  readonly sample: number;
};

/** The realised P&L of one order, all its fills of the period together. */
export type OrderResult = {
  readonly symbol: string;
  readonly amount: NumberText;
};

/** Whether the realised P&L of trades is that of the `REALIZED_PL` transactions. */
export type Agreement = {
  /**
   * `notCovered`: nowhere are both histories complete. `undecided`: they do not add up to the same, and the
   * reconciliation cannot tell which rows differ.
   */
  readonly verdict: 'agree' | 'differ' | 'undecided' | 'notCovered';
  /** Where they were compared. */
  readonly compared: readonly Interval[];
  readonly trades: NumberText;
  readonly transactions: NumberText;
  /** Where the reconciliation contradicts them, oldest first: trades less transactions. */
  readonly differences: readonly (Interval & { readonly amount: NumberText })[];
};

/** What won and what lost. */
export type ResultNumbers = {
  readonly wins: number;
  readonly losses: number;
  readonly winRate: Statistic;
  readonly averageWin: Statistic;
  readonly averageLoss: Statistic;
  /** Gross profit divided by gross loss. */
  readonly profitFactor: Statistic;
};

/**
 * The numbers of one asset in which P&L is realised. Gross is before fees and funding, net is after them. A closed
 * order is one whose fills realise a P&L other than 0; it won or lost by its gross P&L.
 */
export type AssetNumbers = ResultNumbers & {
  readonly asset: string;
  readonly assetBasis: AssetBasis;
  readonly closedOrders: number;
  /** Null if none may have closed, or if they are not asked for. */
  readonly perPosition: PositionNumbers | null;
  readonly largestWin: OrderResult | null;
  readonly largestLoss: OrderResult | null;
  /** Null if trades do not say all: a liquidation has none, or a checkpoint another size. */
  readonly grossPl: NumberText | null;
  /** Positive; null while the sign of fees is not known. */
  readonly feesPaid: NumberText | null;
  /** Negative; null while the sign of fees is not known. */
  readonly feeRebates: NumberText | null;
  readonly feesAsSent: NumberText;
  /** As transactions sign them: negative is paid. */
  readonly liquidationFees: NumberText;
  readonly funding: NumberText;
  /**
   * Gross less fees and rebates, plus liquidation fees and funding, all of this asset. Null if gross, the sign of its
   * fees or the asset is not known.
   */
  readonly netPl: NumberText | null;
  /** Assets of other fees of these trades: they are not in the net. */
  readonly otherFeeAssets: readonly string[];
  /** Fees and rebates over gross P&L. */
  readonly feeShare: Statistic;
  /** Fills that the account made over all fills. */
  readonly makerShare: Statistic;
  readonly agreement: Agreement;
};

type NumbersAnalysis = Analysed<'numbers'> & { readonly assets: readonly AssetNumbers[] };

/** What a symbol came to in an asset; null as a symbol is what may be of several. */
export type SymbolFigures = {
  readonly symbol: string | null;
  readonly asset: string;
  readonly assetBasis: AssetBasis;
  /** Figures are null if rows of theirs may be missing. */
  readonly gross: NumberText | null;
  /** What was paid is positive; null while the sign of fees is not known. */
  readonly fees: NumberText | null;
  /** Funding and liquidation fees, signed as transactions. */
  readonly charges: NumberText | null;
  readonly net: NumberText | null;
  /** Null in another asset than that of P&L. */
  readonly traded: {
    /** Amounts times prices. */
    readonly volume: NumberText | null;
    /** Closed in the period, and decided. */
    readonly positions: number;
    /** Null if a result is not known. */
    readonly wins: number | null;
    readonly undecided: number;
    readonly liquidated: number | null;
  } | null;
};

export type SymbolAnalysis = Analysed<'bySymbol'> & { readonly symbols: readonly SymbolFigures[] };

/** The net P&L of each day, null if some of it is not known, and how many positions closed. */
export type CalendarAsset = {
  readonly asset: string;
  readonly assetBasis: AssetBasis;
  readonly days: readonly (Interval & {
    readonly net: NumberText | null;
    readonly closed: number;
    /** Whose rows make the figure; trades if both do. */
    readonly history: LedgerHistory;
  })[];
};

export type CalendarAnalysis = Analysed<'calendar'> & {
  readonly assets: readonly CalendarAsset[];
};

/** Why a position is undecided. */
export type UndecidedPosition =
  /** Its size is not known from its beginning. */
  | 'openedBefore'
  /** Trades after it opened may be missing. */
  | 'missingTrades'
  /** The amount or the side of a trade is unknown. */
  | 'unknownFigure'
  /** A checkpoint has two positions of the symbol. */
  | 'severalPositions'
  /** It may have been liquidated without a trade. */
  | 'liquidatedWithoutTrade'
  /** A checkpoint has another size than its trades add up to. */
  | 'contradicted';

type AssetAmount = { readonly asset: string; readonly amount: NumberText };

/** From flat to flat. Figures that are not known are null: of an undecided one, all are. */
export type RebuiltPosition = {
  readonly symbol: string;
  readonly asset: string;
  readonly assetBasis: AssetBasis;
  readonly undecided: UndecidedPosition | null;
  /** Of an undecided one, when it is first known of. */
  readonly opened: number;
  /** Null while it is open, or if the time is unknown. */
  readonly closed: number | null;
  readonly lastAt: number;
  readonly direction: 'LONG' | 'SHORT' | null;
  readonly largest: NumberText | null;
  /** Averages, rounded to 20 decimals. */
  readonly entryPrice: NumberText | null;
  readonly exitPrice: NumberText | null;
  readonly gross: NumberText | null;
  /** Of its trades: what was paid is positive if the sign of fees is known, else as sent. */
  readonly fees: readonly AssetAmount[] | null;
  readonly isSignKnown: boolean;
  /** Funding and liquidation fees, signed as transactions; null if some may be of other positions. */
  readonly charges: readonly AssetAmount[] | null;
  /** Gross less fees, with charges if they are known, all of its asset. */
  readonly net: NumberText | null;
  readonly isLiquidated: boolean | null;
  readonly orders: number;
  readonly fills: number;
};

/** Closed, and certain. */
export function isDecided({
  closed,
  undecided,
}: Pick<RebuiltPosition, 'closed' | 'undecided'>): boolean {
  return closed !== null && undecided === null;
}

/** What is in other assets than that of the position: it is not in its net. */
export function otherAmounts(
  { asset }: Pick<RebuiltPosition, 'asset'>,
  amounts: RebuiltPosition['fees'],
): readonly AssetAmount[] {
  return amounts?.filter((each) => !isSameAsset(each.asset, asset)) ?? [];
}

/** An exchange may write it in other letters than the asset of P&L. */
export function isSameAsset(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

type CheckCounts = { readonly agreed: number; readonly differed: number };

export type PositionChecks = {
  readonly symbol: string;
  /** At checkpoints without a trade near them. */
  readonly sizes: CheckCounts;
  /** Of positions: what prices give beside what was realised; null where contracts do not follow it. */
  readonly gross: CheckCounts | null;
};

/** The positions of an asset that closed, won and lost by their gross P&L. */
export type PositionNumbers = ResultNumbers & {
  readonly asset: string;
  readonly positions: number;
  /** How many more may have closed. */
  readonly undecided: number;
  /** Null if that of one is not known. */
  readonly grossPl: NumberText | null;
  readonly averageHeldMs: number | null;
};

/** The positions that ended in the period, and those that are open. */
export type PositionsAnalysis = Analysed<'positions'> & {
  /** In the order in which they ended, those that are open last; the newest ones of many. */
  readonly positions: readonly RebuiltPosition[];
  /** All of them in JSON, if they were asked for in pieces. */
  readonly pieces?: readonly Uint8Array[];
  readonly count: number;
  /** How many of `count`. */
  readonly undecided: number;
  /** Of all in the period, whatever the filter. */
  readonly symbols: readonly string[];
  readonly checks: readonly PositionChecks[];
  readonly numbers: readonly PositionNumbers[];
};

/** Why a fee cannot be judged. */
export type UndecidedFee =
  /** No checkpoint has the rates of the account. */
  | 'noRates'
  /** It does not fit the tier of the nearest checkpoints, and the account may have been in another one. */
  | 'unknownTier'
  /** What the discount of the account is was not learned. */
  | 'unknownDiscount'
  /** Too few fees fit the fee table in any way to read it. */
  | 'notLearned'
  /** It may be rounded more than it seems. */
  | 'unknownRounding'
  /** The fee is not in the quote asset of its symbol. */
  | 'otherAsset'
  /** It does not fit, and is not a trade of the order book: it may have a rate of its own. */
  | 'otherType'
  /** The value of the trade is 0. */
  | 'noValue'
  /** The amount, price, fee, its asset or the side of the trade is unknown. */
  | 'unknownFigure';

/** A trade that has every figure of which a fee is made. */
export type AuditedTrade = Trade &
  Readonly<Record<'amount' | 'price' | 'fee' | 'feeAsset', string>> & { readonly maker: boolean };

/** How many trades of a symbol have which fee. */
export type FeeCounts = {
  readonly symbol: string;
  readonly asExpected: number;
  readonly dearer: number;
  readonly cheaper: number;
  readonly undecided: number;
};

/** A fee that no rounding explains. */
export type FeeDeviation = {
  readonly kind: 'dearer' | 'cheaper';
  readonly trade: Omit<AuditedTrade, 'extra'>;
  /** The account's, and its rate for such a trade, as the fee table has it. */
  readonly tier: NumberText;
  readonly rate: NumberText;
  /** Fee / (amount × price), rounded to 20 decimals. */
  readonly impliedRate: NumberText;
  /** Signed as `fee`, and not rounded. */
  readonly expected: NumberText;
  /** What was paid too much; negative if it was too little. */
  readonly overcharge: NumberText;
  /** The tier and the side whose rate explains the fee; null if none does. */
  readonly billedAs: { readonly tier: NumberText; readonly maker: boolean } | null;
};

/** The fees of trades beside the rates of the account's tier at that time. */
export type FeeAudit = Analysed<'feeAudit'> & {
  /** By symbol. */
  readonly markets: readonly FeeCounts[];
  /** How many trades are undecided for each reason; without those of 0. */
  readonly undecided: readonly { readonly reason: UndecidedFee; readonly count: number }[];
  /** Newest first; the newest ones of many. */
  readonly deviations: readonly FeeDeviation[];
  readonly deviationCount: number;
  /** Exact, of all deviations of an asset: what was paid too much, and too little as a negative number. */
  readonly sums: readonly {
    readonly asset: string;
    readonly dearer: NumberText;
    readonly cheaper: NumberText;
  }[];
  /** How the discount of the account is read; null if that is not known, or if there was none. */
  readonly discountIn: DiscountUnit | null;
  /** The unit of the fee table’s rates, as the fees of trades show it; null if they do not. */
  readonly ratesIn: FeeRateUnit | null;
};

/** A share of a trade’s value, or percent of it. */
export type FeeRateUnit = 'shares' | 'percent';

/** `none`: the discount is not taken off a fee. */
export type DiscountUnit = 'none' | 'percent' | 'perMille' | 'basisPoints';

/** Plain JSON data. */
export type Analysis =
  | SumsAnalysis
  | CashAnalysis
  | EquityAnalysis
  | NumbersAnalysis
  | FeeAudit
  | PositionsAnalysis
  | SymbolAnalysis
  | CalendarAnalysis;

export type AnalysisOf<View extends AnalysisView> = Extract<Analysis, { readonly view: View }>;

/** Computes from what a ledger has, while others read and write it. Rejects with LedgerError. */
export type AnalysisReader = {
  analyse<View extends AnalysisView>(request: AnalysisRequest<View>): Promise<AnalysisOf<View>>;
};
