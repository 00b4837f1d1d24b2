import { amountOf, isNumberText, signOf, textOf, type Amount } from '../../base/decimal.ts';
import { hourMs, minuteMs, parseTimestampMs } from '../../base/time.ts';

/** The values of a bot's file: text that any program may have written. */

const dateTime =
  /^(\d{4})[-/.](\d\d?)[-/.](\d\d?)(?:[T ](\d\d?):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?)?\s*(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?$/i;

/** In epoch milliseconds. Without a zone, it is naive and read as UTC. */
type BotTime = { readonly ms: number; readonly isNaive: boolean };

export function parseBotTime(text: string | null): BotTime | null {
  if (text === null) return null;
  const trimmed = text.trim();
  const timestamp = parseTimestampMs(trimmed);
  if (timestamp !== undefined) return { ms: timestamp, isNaive: false };
  const parts = dateTime.exec(trimmed);
  if (!parts) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
    .slice(1, 7)
    .map((part: string | undefined) => Number(part ?? 0));
  const fraction = Number((parts[7] ?? '').padEnd(3, '0').slice(0, 3));
  const ms = Date.UTC(year, month - 1, day, hour, minute, second, fraction);
  const zone = parts[8];
  const isDate = new Date(ms).getUTCMonth() === month - 1 && ms > 0;
  return isDate ? { ms: ms - zoneMs(zone), isNaive: zone === undefined } : null;
}

function zoneMs(zone = ''): number {
  const [, sign, hours, minutes = 0] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? [];
  if (sign === undefined) return 0;
  const ms = Number(hours) * hourMs + Number(minutes) * minuteMs;
  return sign === '-' ? -ms : ms;
}

/** A figure as a bot wrote it; null if it is none. */
export function botFigure(text: string | null): Amount | null {
  const usual = (text ?? '')
    .trim()
    .replace(/^\+/, '')
    .replace(/^(-?)\./, '$10.');
  return isNumberText(usual) ? amountOf(usual) : null;
}

export function isNothing(figure: Amount | null | undefined): boolean {
  return figure ? signOf(figure) === 0 : false;
}

/** Of the trade: `long` and `short` are of a position, which both sides open or close. */
export function botSide(text: string | null): 'BUY' | 'SELL' | null {
  const word = text?.trim().toLowerCase() ?? '';
  if (/^(?:buy|b|bid)$/.test(word)) return 'BUY';
  return /^(?:sell|s|ask)$/.test(word) ? 'SELL' : null;
}

/** The same for `BTC/USDT:USDT`, `BTC-USDT`, `BTCUSDT` and `btc_usdt`. */
export function symbolKey(symbol: string): string {
  return symbol
    .toLowerCase()
    .replace(/:.*$/, '')
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

export function assetKey(asset: string): string {
  return asset.trim().toLowerCase();
}

/** The same for figures that differ in the digits of a float. Only a key: no figure is made of it. */
export function figureKey(figure: Amount | null): string {
  return figure === null ? '' : approximate(figure).toPrecision(12);
}

/** The same for ratios that differ in the digits of a float. */
export function ratioKey(one: Amount, other: Amount): string {
  return (approximate(one) / approximate(other)).toPrecision(12);
}

function approximate(figure: Amount): number {
  return Number(textOf(figure));
}

/** One text for all that are the same: many rows have few symbols and sides. */
export type SharedTexts = <Text extends string | null>(text: Text) => Text;

export function sharedTexts(): SharedTexts {
  const texts = new Map<string | null, string | null>();
  return (text) => {
    if (!texts.has(text)) texts.set(text, text);
    return texts.get(text) as typeof text;
  };
}

export function mostFrequent<Value>(values: Iterable<Value>): Value | undefined {
  const counts = new Map<Value, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].reduce<[Value | undefined, number]>(
    (best, each) => (each[1] > best[1] ? each : best),
    [undefined, 0],
  )[0];
}
