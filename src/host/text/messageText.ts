import { environmentLabel, type Profile } from '../../account/session/profile.ts';
import { roundedAge } from '../../account/session/staleness.ts';
import { cleanText, escapeInvisible } from '../../base/cleanText.ts';
import { unknownText } from '../../base/decimal.ts';
import { mask, type Display } from '../../base/display.ts';
import type { Phrase } from '../../base/phrase.ts';
import type { BadRecord } from '../../exchange/records.ts';
import type { DocumentAccount } from '../../protocol/document.ts';
import { t } from '../shared/translate.ts';

/**
 * A phrase of another layer in the display language; text of the host stays as it is. Without a display,
 * numbers are written as they are typed in settings.
 */
export function localized(phrase: string | Phrase, display?: Display): string {
  if (typeof phrase === 'string') return phrase;
  const values = phrase.values.map((value) => {
    if (typeof value === 'object') return localized(value, display);
    return typeof value === 'number' && display ? display.count(value) : value;
  });
  return t(phrase.text, ...values);
}

/** A string of the server as part of a message. Notifications turn `[a](b)` into a link. */
export function untrustedText(text: string, maxLength?: number): string {
  return cleanText(text, maxLength).replaceAll('](', '] (');
}

/** That something is missing in the account, and what was wrong with it. */
export function unreadablePartText({ problem }: BadRecord, display: Display): string {
  const problemText = untrustedText(localized(problem, display));
  return t('A part of the account could not be read: {0}.', problemText);
}

/** The text for a screen reader: masked figures are read as a word. */
export function screenReaderText(text: string): string {
  return text.replaceAll(mask, t('hidden'));
}

/** Sentences; those that are empty are left out. */
export function joined(...sentences: readonly string[]): string {
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

/** The first few, and how many more. */
export function firstOf(
  texts: readonly string[],
  most: number,
  display: Display,
  separator = ', ',
): string {
  const shown = texts.slice(0, most).join(separator);
  const more = texts.length - most;
  return more > 0 ? t('{0} and {1} more', shown, display.count(more)) : shown;
}

/** A flag; `—` if it is unknown. */
export function yesOrNo(flag: boolean | null): string {
  if (flag === null) return unknownText;
  return flag ? t('yes') : t('no');
}

/** An age, rounded down: `40 s`, `3 min`, `5 h`. Infinity is an unknown age. */
export function ageText(ageMs: number, display: Display): string {
  if (ageMs === Infinity) return t('an unknown time');
  const { count: number, unit } = roundedAge(ageMs);
  const count = display.count(number);
  return { s: t('{0} s', count), min: t('{0} min', count), h: t('{0} h', count) }[unit];
}

/** When figures were read by the exchange's clock, and how old they are once they are stale. */
export function readText(readAt: number, staleAgeMs: number | undefined, display: Display): string {
  const time = display.timeToSecond(readAt);
  return staleAgeMs === undefined
    ? t('Read {0}', time)
    : t('Stale: {0} old, read {1}', ageText(staleAgeMs, display), time);
}

/** `ENVIRONMENT · Name`, or `Practice` alone: shown wherever figures of an account are shown. */
export function accountLabel(
  profile: Pick<Profile, 'name' | 'environment'>,
  maxNameLength?: number,
): string {
  const name = untrustedText(escapeInvisible(profile.name), maxNameLength);
  return profile.environment === 'practice' ? name : `${environmentLabel(profile)} · ${name}`;
}

/** VS Code draws `$(name)` as an icon in the status bar and in lists: untrusted text must not. */
export function withoutIcons(text: string): string {
  return text.replaceAll('$(', '$ (');
}

/** Escapes what starts markup, a link or an address. No line begins with text of the exchange. */
export function escapedMarkdown(text: string): string {
  return text
    .replace(/[\\`*_{}[\]<>()#!|~&@$]/g, '\\$&')
    .replace(/(?<=[a-z][\w+.-]*):(?=\S)/gi, '\\:')
    .replace(/\bwww\./gi, (start) => `${start.slice(0, -1)}\\.`);
}

/** A translation that lost its places is not used: a page fills those of the English text. */
export function localizedTexts<Name extends string>(
  phrases: Readonly<Record<Name, Phrase>>,
): Record<Name, string> {
  const texts = Object.entries<Phrase>(phrases).map(([name, phrase]) => {
    const text = localized(phrase);
    return [name, phrase.text.includes('{0}') && !text.includes('{0}') ? phrase.text : text];
  });
  return Object.fromEntries(texts) as Record<Name, string>;
}

/** The account that a page is about. The practice exchange has neither an environment nor an address. */
export function pageAccount(
  profile: Pick<Profile, 'name' | 'environment'>,
  origin: string,
  remark: string | null = null,
): DocumentAccount {
  const isPractice = profile.environment === 'practice';
  return {
    environment: isPractice ? null : environmentLabel(profile),
    profile: cleanText(escapeInvisible(profile.name)),
    origin: isPractice ? t('simulated exchange, no real money') : cleanText(origin),
    remark,
  };
}

/** The same in one line, for a copy. */
export function pageAccountText({ environment, profile, origin }: DocumentAccount): string {
  return [...(environment === null ? [] : [environment]), profile, origin].join(' · ');
}
