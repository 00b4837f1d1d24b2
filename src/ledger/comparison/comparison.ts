import type { NumberText } from '../../base/decimal.ts';
import type { Interval } from '../../base/interval.ts';
import type { LedgerHistory } from '../ledger.ts';

/** What a row of a bot's books can say. A file of any other program is mapped to these. */
export const botFields = [
  ...(['orderId', 'clientOrderId', 'tradeId', 'symbol', 'side', 'amount'] as const),
  ...(['price', 'fee', 'feeAsset', 'time', 'pnl'] as const),
] as const;
export type BotField = (typeof botFields)[number];

/** Figures that both sides have. Funding is the amount of a payment, or the sum of several. */
export type FigureName = 'amount' | 'price' | 'fee' | 'pnl' | 'funding';

/** Where a row stands in the bot's file: in a text by its line, in a table by its `rowid`. */
export type BotPlace = { readonly table: string | null; readonly id: string };

/** A fill, or an order with all of its fills. Null is what the bot did not keep. */
export type BotRow = Readonly<Record<Exclude<BotField, 'time'>, string | null>> & {
  readonly place: BotPlace;
  /** A file may have several, or several exchanges; null if it names none. */
  readonly account: string | null;
  readonly timeMs: number | null;
  /** Without a zone: read as UTC. */
  readonly isNaive: boolean;
};

/** What a bot kept of funding between two times; of one payment, both are the same. */
export type BotFunding = {
  readonly place: BotPlace;
  readonly account: string | null;
  readonly asset: string | null;
  readonly amount: string | null;
  readonly from: string | null;
  /** Null while the position is open. */
  readonly to: string | null;
};

/** The P&L of a closed position, less its fees and with its funding. */
export type BotPosition = {
  readonly place: BotPlace;
  readonly symbol: string | null;
  readonly pnl: string | null;
  readonly funding: string | null;
  readonly time: string | null;
  readonly orderIds: readonly string[];
};

export type BotName = 'freqtrade' | 'hummingbot';

/** A bot's books, as text with all of their digits. */
export type BotBook = {
  /** Null for a file that was mapped. */
  readonly bot: BotName | null;
  readonly rows: readonly BotRow[];
  /** How many more its file has. */
  readonly unreadRows: number;
  /** Of orders that the bot placed, whether or not a row has them: ids of the exchange or the bot's own. */
  readonly placed: readonly string[];
  /** Of positions that are open, as the bot writes them. */
  readonly openSymbols: readonly string[];
  /** Null if the books have no funding. */
  readonly funding: readonly BotFunding[] | null;
  /** Read from the file each time; null if the books have none. */
  readonly positions: (() => Iterable<BotPosition>) | null;
  /** How many decimals its file can keep of a figure; null for all. */
  readonly decimals: number | null;
  /** Of the rates by which it works out fees and P&L; null if it keeps the exchange's. */
  readonly rateDecimals: number | null;
};

/** Keeps nothing. */
export const emptyBook: BotBook = {
  ...{ bot: null, rows: [], unreadRows: 0, placed: [], openSymbols: [], funding: null },
  ...{ positions: null, decimals: null, rateDecimals: null },
};

type BotSymbol = { readonly symbol: string; readonly multiplier: NumberText };

/** What a person has set in place of what is found by evidence. */
export type ComparisonChoices = {
  /** Of times without a zone, in minutes east of UTC; null as it is found. */
  readonly offsetMinutes: number | null;
  /** By the bot's symbol. */
  readonly symbols: Readonly<Record<string, BotSymbol>>;
};

/** How the bot writes what the exchange writes in another way, and how many rows show it. */
export type Conventions = {
  readonly symbols: readonly (BotSymbol & { readonly botSymbol: string; readonly rows: number })[];
  /** Minutes that the bot's times are ahead of the exchange's. */
  readonly offsets: readonly { readonly minutes: number; readonly rows: number }[];
  /** Whether some of its times have no zone, so that one can be chosen. */
  readonly hasNaiveTimes: boolean;
  /** The bot writes a fee that was paid with the other sign than the exchange. */
  readonly feesAreNegated: boolean;
  /** Its P&L of a row is less the fee. */
  readonly pnlIsNet: boolean;
};

export const causes = [
  ...(['multiplier', 'fillTwice', 'afterStop', 'missingFill', 'liquidation', 'manual'] as const),
  ...(['fundingTwice', 'fundingMissing', 'feeAsset', 'feeSign', 'zone', 'rounding'] as const),
] as const;
export type Cause = (typeof causes)[number];

export const judgements = ['differs', 'onlyBot', 'onlyExchange', 'undecided', 'agrees'] as const;
export type Judgement = (typeof judgements)[number];

/** A figure of the bot in the exchange's units, and the exchange's. Null is not known. */
export type FigurePair<Figure = NumberText> = readonly [
  bot: Figure | null,
  exchange: Figure | null,
];

/** A record of the ledger, to be shown there. */
export type LedgerPlace = {
  readonly history: Extract<LedgerHistory, 'trades' | 'futureTransactions'>;
  readonly fields: Readonly<Record<string, string>>;
};

export type ComparedRow<Figure = NumberText> = {
  readonly kind: 'trade' | 'funding' | 'position';
  readonly judgement: Judgement;
  readonly causes: readonly Cause[];
  /** Of the exchange if it has the row; in epoch milliseconds. */
  readonly time: number | null;
  readonly symbol: string | null;
  readonly side: string | null;
  readonly orderId: string | null;
  readonly tradeId: string | null;
  readonly figures: Readonly<Partial<Record<FigureName, FigurePair<Figure>>>>;
  /** Those that are further apart than digits of floats; all of a row that only one side has. */
  readonly differing: readonly FigureName[];
  /** What differs beside figures. */
  readonly differingWords: readonly {
    readonly field: 'symbol' | 'side' | 'feeAsset';
    readonly bot: string;
    readonly exchange: string;
  }[];
  /** The asset of the fee or of the funding. */
  readonly assets: readonly [bot: string | null, exchange: string | null];
  /** Matched without an id. */
  readonly isLikely: boolean;
  /** Agrees but for the digits of a float, or those that the bot's file cannot keep. */
  readonly isNoisy: boolean;
  readonly bot: BotPlace | null;
  readonly exchange: LedgerPlace | null;
};

/** A part of a difference. `noise` is of rows that agree, `notKept` of figures that the bot has not, `unknown` of rows without a cause. */
export type ExplainedBy = Cause | 'noise' | 'notKept' | 'unknown';

export type ComparedTotal = {
  readonly figure: 'pnl' | 'fee' | 'funding';
  readonly asset: string;
  /** Null if the books have no such figure, or what it is of is not complete. */
  readonly bot: NumberText | null;
  readonly exchange: NumberText | null;
  readonly explained: readonly {
    readonly by: ExplainedBy;
    readonly rows: number;
    readonly amount: NumberText;
  }[];
  /** What no row explains: null if a total is. */
  readonly remainder: NumberText | null;
};

/** Plain JSON data. */
export type Comparison = {
  readonly bot: BotName | null;
  /** From the first to the last row of the bot, in the exchange's time; null without a time or a trade. */
  readonly period: Interval | null;
  readonly counts: Readonly<Record<Judgement, number>>;
  /** Rows of the bot that could not be read, and are not counted. */
  readonly unreadRows: number;
  readonly likely: number;
  readonly noisy: number;
  readonly conventions: Conventions;
  readonly totals: readonly ComparedTotal[];
  /** Where the ledger is not complete. */
  readonly gaps: readonly (Interval & { readonly history: LedgerHistory })[];
  /** What diverges, then what is undecided, then what agrees; each by time, as far as there is room. */
  readonly rows: readonly ComparedRow[];
  readonly firstDivergent: ComparedRow | null;
};

/** More are counted, and not listed. */
export const mostListed = 1000;
