import {
  absolute,
  compactDecimals,
  inThousands,
  isZero,
  plain,
  shortPercentage,
  sign,
  unknownText,
  type NumberText,
} from './decimal.ts';
import { isPrivateField, type DisplayField } from './fieldPrivacy.ts';
import { parseTimestampMs, fractionOfSecond } from './time.ts';
import { lastDays, offsetText, TimeZone } from './timeZone.ts';

/** The user's settings for figures and times; plain data, so that it can be posted to webviews. */
export type DisplaySettings = {
  /** Privacy: every figure that reveals how much the user owns is masked. */
  readonly hidesMoney: boolean;
  /** Whether a figure shows at first the digits that matter, or all. */
  readonly digits: (typeof digitSettings)[number];
  /** The zone in which times are shown and typed: `UTC` or an IANA name. */
  readonly timeZone: string;
  /** The second zone, which a hover shows too. */
  readonly otherTimeZone: string;
  /** A BCP 47 tag. Digits are 0 to 9 in every locale, so that a shown value can be typed. */
  readonly locale: string;
};

export const digitSettings = ['compact', 'all'] as const;

/** The replacement for every hidden figure, whatever its size and sign. */
export const mask = '•••';

/** A figure in running text, with its sign, its separators and its exponent, in any script's digits. */
const anyFigure = /[+\-−]?\p{Nd}(?:[\p{Nd}.,'’_\s]*(?:e[+-]?)?\p{Nd})*/giu;

type Figure = NumberText | null;

const signs = { [-1]: '−', [0]: '', [1]: '+' } as const;

/**
 * Formats figures and times for every surface; nothing else may format them for display.
 * Each figure needs its field's name, so that privacy can hide it.
 */
export class Display {
  readonly settings: DisplaySettings;
  readonly zone: TimeZone;
  private readonly integers: Intl.NumberFormat;
  readonly decimalPoint: string;
  /** Made for the first tooltip: each takes milliseconds, which the first rows need not wait for. */
  private otherZone: TimeZone | undefined;
  private days: Intl.DateTimeFormat | undefined;

  /** A zone or locale that this machine does not know counts as UTC, or as English. */
  constructor(settings: DisplaySettings) {
    this.settings = settings;
    this.zone = knownZone(settings.timeZone);
    const locale = knownLocale(settings.locale);
    this.integers = integerFormat(locale);
    const parts = this.integers.formatToParts(0.5);
    this.decimalPoint = parts.find(({ type }) => type === 'decimal')?.value ?? '.';
  }

  /** Whether this field's figures are masked, and with them everything that shows their sign. */
  hides(field: DisplayField): boolean {
    return this.settings.hidesMoney && isPrivateField(field);
  }

  /** Every digit of the source and no other, in plain notation: `−1,234.50`, `−1.234,50`. */
  full(field: DisplayField, figure: Figure): string {
    return this.shown(field, figure, (text) => this.digits(text));
  }

  /** How many there are of something; never hidden. */
  count(count: number): string {
    return this.integers.format(count);
  }

  /**
   * `full` without the digits that matter least: cut, not rounded, and `…` in their place unless they are zeros.
   * All digits must be one move away.
   */
  compact(field: DisplayField, figure: Figure): string {
    return this.shown(field, figure, (text) => this.cutDigits(text));
  }

  /** `compact` with its sign always written. */
  signedCompact(field: DisplayField, figure: Figure): string {
    return this.shown(field, figure, (text) => signs[sign(text)] + this.cutDigits(absolute(text)));
  }

  /** `compact`, or `full` if the user wants all digits. */
  figure(field: DisplayField, figure: Figure): string {
    return this.showsAllDigits ? this.full(field, figure) : this.compact(field, figure);
  }

  /** `figure` with its sign always written. */
  signedFigure(field: DisplayField, figure: Figure): string {
    return this.showsAllDigits ? this.signedFull(field, figure) : this.signedCompact(field, figure);
  }

  /** A percentage at a glance, cut toward zero: `43.3 %`, `2.9 %`, `0.41 %`. */
  shortPercent(field: DisplayField, figure: Figure, decimals = 1): string {
    const cut = this.shown(field, figure, (text) => this.digits(shortPercentage(text, decimals)));
    return figure === null ? cut : `${cut} %`;
  }

  /** The same for a narrow place, with its sign always written: `+43 %`, `−0.41 %`. */
  signedPercent(field: DisplayField, figure: Figure): string {
    if (figure === null || this.hides(field)) return this.shortPercent(field, figure);
    return signs[sign(figure)] + this.shortPercent(field, absolute(figure), 0);
  }

  /** `full` with its sign always written: `+1.50`, `−0.25`; zero has none. */
  signedFull(field: DisplayField, figure: Figure): string {
    return this.shown(field, figure, (text) => signs[sign(text)] + this.digits(absolute(text)));
  }

  /**
   * `compact` without its sign for a narrow place: from 10,000 on in thousands or millions with three digits, as
   * in `150k…`, so that what stands behind it is not cut off.
   */
  narrowSize(field: DisplayField, figure: Figure): string {
    return this.shown(field, figure, (text) => {
      const { scaled, unit, isExact } = inThousands(absolute(text));
      if (unit === '') return this.cutDigits(scaled, narrowDecimals);
      return `${this.digits(scaled)}${unit}${isExact ? '' : '…'}`;
    });
  }

  /** `narrowSize` with its sign always written. */
  signedNarrow(field: DisplayField, figure: Figure): string {
    const size = this.narrowSize(field, figure);
    return figure === null || this.hides(field) ? size : signs[sign(figure)] + size;
  }

  get showsAllDigits(): boolean {
    return this.settings.digits === 'all';
  }

  /** What an exchange said in its own words: they may quote any figure, so privacy masks each of them. */
  serverText(text: string): string {
    return this.settings.hidesMoney ? text.replaceAll(anyFigure, mask) : text;
  }

  /**
   * A timestamp in the shown zone, with every digit of its fraction: `2026-11-20 10:00:00.123 UTC+1`.
   * The format is the same in every locale, because day and month are easily confused. Text that is
   * not a timestamp is returned unchanged.
   */
  time(at: NumberText | number): string {
    return zonedTime(String(at), this.zone);
  }

  /** `time` without its fraction. */
  timeToSecond(at: NumberText | number): string {
    return this.time(at).replace(/\.\d+ /, ' ');
  }

  /** The zone with which `time` ends; undefined for text that is not a timestamp. */
  zoneAt(text: NumberText): string | undefined {
    const epochMs = parseTimestampMs(text);
    return epochMs === undefined ? undefined : offsetText(this.zone.offsetMs(epochMs));
  }

  /** Only hours, minutes and seconds of `time`: `10:00:00 UTC+1`. */
  timeOfDay(at: NumberText | number): string {
    return this.timeToSecond(at).replace(/^\S+ (?=\d\d:)/, '');
  }

  /** `timeOfDay`, with its date unless that is today's. */
  recentTime(epochMs: number, now: number): string {
    const isToday = epochMs >= lastDays(1, now, this.zone).from;
    return isToday ? this.timeOfDay(epochMs) : this.timeToSecond(epochMs);
  }

  /** The day in the locale's words, then the time in the shown zone and in the other one. */
  timeInBothZones(at: NumberText | number): string {
    const text = String(at);
    const epochMs = parseTimestampMs(text);
    if (epochMs === undefined) return text;
    this.otherZone ??= knownZone(this.settings.otherTimeZone);
    this.days ??= dayFormat(knownLocale(this.settings.locale), this.zone);
    const both = [this.time(text), zonedTime(text, this.otherZone)];
    return [this.days.format(epochMs), ...new Set(both)].join(' · ');
  }

  private shown(field: DisplayField, figure: Figure, write: (text: NumberText) => string): string {
    if (figure === null) return unknownText;
    return this.hides(field) ? mask : write(figure);
  }

  private cutDigits(text: NumberText, decimalsOf = compactDecimals): string {
    const written = isZero(text) ? absolute(text) : plain(text);
    const [whole = '', fraction = ''] = written.split('.');
    const decimals = decimalsOf(written);
    const rest = fraction.slice(decimals);
    const cut = decimals === 0 ? whole : `${whole}.${fraction.slice(0, decimals)}`;
    return `${this.digits(cut)}${/[1-9]/.test(rest) ? '…' : ''}`;
  }

  /**
   * Only the whole part goes through the formatter. It would round a long fraction, and in some locales
   * it adds invisible marks to the sign.
   */
  private digits(text: NumberText): string {
    const [, minus = '', whole = '', fraction] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(plain(text)) ?? [];
    const grouped = this.integers.format(BigInt(whole));
    const sign = minus === '' ? '' : signs[-1];
    return `${sign}${grouped}${fraction === undefined ? '' : this.decimalPoint + fraction}`;
  }
}

/** Two digits from 1 on. */
function narrowDecimals(text: NumberText): number {
  const whole = text.split('.')[0] ?? '';
  const decimals = compactDecimals(text);
  return whole === '0' ? decimals : Math.min(decimals, Math.max(0, 2 - whole.length));
}

/** A shown text as a copy or a file has it: programs read only the minus of ASCII. */
export function withAsciiMinus(text: string): string {
  return text.replace(/−(?=\d)/g, '-');
}

/** Writes whole numbers as `locale` groups them; as English does if this machine does not know the locale. */
export function integerFormat(locale: string): Intl.NumberFormat {
  return new Intl.NumberFormat(knownLocale(locale), { numberingSystem: 'latn' });
}

function dayFormat(locale: string, { name: timeZone }: TimeZone): Intl.DateTimeFormat {
  const gregorian = { calendar: 'gregory', numberingSystem: 'latn' };
  return new Intl.DateTimeFormat(locale, { ...gregorian, dateStyle: 'full', timeZone });
}

function zonedTime(text: NumberText, zone: TimeZone): string {
  const epochMs = parseTimestampMs(text);
  if (epochMs === undefined) return text;
  const offsetMs = zone.offsetMs(epochMs);
  const seconds = new Date(epochMs + offsetMs).toISOString().slice(0, 19).replace('T', ' ');
  return `${seconds}${fractionOfSecond(text)} ${offsetText(offsetMs)}`;
}

function knownZone(name: string): TimeZone {
  try {
    return new TimeZone(name);
  } catch {
    return new TimeZone('UTC');
  }
}

function knownLocale(locale: string): string {
  try {
    return Intl.NumberFormat.supportedLocalesOf(locale)[0] ?? 'en';
  } catch {
    return 'en';
  }
}
