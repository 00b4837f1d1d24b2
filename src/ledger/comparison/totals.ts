import { added, less, signOf, textOf, zeroAmount, type Amount } from '../../base/decimal.ts';
import { assetKey } from './botValues.ts';
import type { ComparedTotal, ExplainedBy } from './comparison.ts';
import type { JudgedRow } from './judgement.ts';

type TotalName = ComparedTotal['figure'];
const totalNames: readonly TotalName[] = ['pnl', 'fee', 'funding'];
/** Of a figure whose asset is not known. */
const anyAsset = '';

type Part = { rows: number; amount: Amount };
type Sums = {
  readonly figure: TotalName;
  readonly asset: string;
  bot: Amount;
  exchange: Amount;
  readonly explained: Map<ExplainedBy, Part>;
};

/** Adds up what both sides say, and apart from that the difference of each row that is judged. */
export class Totals {
  private readonly marginAssetOf: (symbol: string) => string | null;
  private readonly isBotWhole: boolean;
  private readonly sums = new Map<string, Sums>();
  /** The figures that a row of the bot has. */
  private readonly kept = new Set<TotalName>();
  /** Those of which the bot has some whose asset is not known: they lack in the total of one. */
  private readonly withoutAsset = new Set<TotalName>();
  /** Those that the exchange does not say of a record, or that are of an undecided row. */
  private readonly unknown = new Set<TotalName>();

  constructor(marginAssetOf: (symbol: string) => string | null, isBotWhole: boolean) {
    this.marginAssetOf = marginAssetOf;
    this.isBotWhole = isBotWhole;
  }

  add(row: JudgedRow): void {
    for (const figure of totalNames) {
      const pair = row.figures[figure];
      if (!pair) continue;
      const [bot, exchange] = pair;
      const [botAsset = anyAsset, exchangeAsset = anyAsset] = this.assetsOf(row, figure);
      const isUndecided = row.judgement === 'undecided' && (bot !== null || exchange !== null);
      if (isUndecided || (exchange === null && row.exchange !== null)) this.unknown.add(figure);
      if (bot !== null) this.kept.add(figure);
      if (bot && signOf(bot) !== 0 && botAsset === anyAsset) this.withoutAsset.add(figure);
      if (botAsset === exchangeAsset) this.addPair(row, figure, botAsset, bot, exchange);
      else {
        this.addPair(row, figure, botAsset, bot, null);
        this.addPair(row, figure, exchangeAsset, null, exchange);
      }
    }
  }

  /** `isComplete`: whether the ledger has every record that a total is of. */
  result(isComplete: (figure: TotalName) => boolean): ComparedTotal[] {
    const rank = ({ figure }: Sums): number => totalNames.indexOf(figure);
    // With what the bot does not keep, nothing can be compared.
    const all = [...this.sums.values()].filter(({ figure }) => this.kept.has(figure));
    return all
      .toSorted((one, other) => rank(one) - rank(other))
      .map(({ figure, asset, bot, exchange, explained }) => {
        const isKept = this.isBotWhole && !this.withoutAsset.has(figure);
        const isWhole = isComplete(figure) && !this.unknown.has(figure);
        const parts = [...explained].filter(([, { amount }]) => signOf(amount) !== 0);
        const known = parts.reduce((sum, [, { amount }]) => added(sum, amount), zeroAmount);
        return {
          figure,
          asset,
          bot: isKept ? textOf(bot) : null,
          exchange: isWhole ? textOf(exchange) : null,
          explained: isKept
            ? parts.map(([by, { rows, amount }]) => ({ by, rows, amount: textOf(amount) }))
            : [],
          remainder: isKept && isWhole ? textOf(less(less(bot, exchange), known)) : null,
        };
      });
  }

  private addPair(
    row: JudgedRow,
    figure: TotalName,
    asset: string,
    bot: Amount | null,
    exchange: Amount | null,
  ): void {
    if (bot === null && exchange === null) return;
    const key = `${figure} ${asset}`;
    const sums = this.sums.get(key) ?? {
      ...{ figure, asset, bot: zeroAmount, exchange: zeroAmount },
      explained: new Map<ExplainedBy, Part>(),
    };
    this.sums.set(key, sums);
    const [own, theirs] = [bot ?? zeroAmount, exchange ?? zeroAmount];
    sums.bot = added(sums.bot, own);
    sums.exchange = added(sums.exchange, theirs);
    const by = explanationOf(row, figure);
    if (by === null) return;
    const part = sums.explained.get(by) ?? { rows: 0, amount: zeroAmount };
    const wrong = less(own, theirs);
    const rows = part.rows + (signOf(wrong) === 0 ? 0 : 1);
    sums.explained.set(by, { rows, amount: added(part.amount, wrong) });
  }

  private assetsOf({ assets: [bot, exchange], symbol }: JudgedRow, figure: TotalName) {
    const ofSymbol = symbol === null ? null : this.marginAssetOf(symbol);
    const known = figure === 'pnl' ? ofSymbol : (exchange ?? bot);
    const sides = figure === 'pnl' ? [known, known] : [bot ?? known, exchange ?? known];
    return sides.map((asset) => assetKey(asset ?? anyAsset));
  }
}

/** Null for a row that is undecided, or whose figure the exchange does not know. */
function explanationOf(
  { judgement, causes, figures }: JudgedRow,
  figure: TotalName,
): ExplainedBy | null {
  if (judgement === 'undecided') return null;
  const [bot = null, exchange = null] = figures[figure] ?? [];
  const isMatched = judgement === 'agrees' || judgement === 'differs';
  if (isMatched && exchange === null) return null;
  if (isMatched && bot === null) return 'notKept';
  return judgement === 'agrees' ? 'noise' : (causes[0] ?? 'unknown');
}
