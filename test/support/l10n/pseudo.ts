const plain = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const accented = Array.from('áƀćđéƒĝĥíĵķĺɱñóƥɋřšŧúṽŵẋýžÁƁĆĐÉƑĜĤÍĴĶĹṀÑÓƤɊŘŠŦÚṼŴẊÝŽ');

/** What no translator changes: the name of the product, values, icons, links, code. */
const kept = /Margin Desk|\{\d+\}|\$\([\w~-]+\)|\]\([^)]*\)|`[^`]*`|https?:\/\/[\w./-]*/g;

/** A text in a made-up language: each letter accented, and brackets around it. */
export function pseudo(text: string): string {
  const parts = text.split(kept);
  const between = [...text.matchAll(kept)].map(([part]) => part);
  const words = parts.map((part, index) => accentedText(part) + (between[index] ?? ''));
  return text === 'Margin Desk' ? text : `⟦${words.join('')}⟧`;
}

export function pseudoBundle(
  bundle: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(bundle).map(([key, text]) => [key, pseudo(text)]));
}

/**
 * The words of a text that no pseudo text can hold: what is left of English. `known` are data: names
 * of fields and profiles, values of the exchange.
 */
export function englishIn(text: string, known: RegExp): readonly string[] {
  const words = text.replace(/\w+:\/\/\S*/g, '').match(/[A-Za-z][A-Za-z\d_'’-]*[A-Za-z\d]/g) ?? [];
  return words.filter((word) => !known.test(word));
}

function accentedText(text: string): string {
  return Array.from(text, (letter) => accented[plain.indexOf(letter)] ?? letter).join('');
}
