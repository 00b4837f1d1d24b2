/**
 * Control, bidirectional and invisible characters: C0, C1, soft hyphen, Arabic letter mark, zero
 * width and direction marks, embeddings, overrides, isolates, BOM, tags, interlinear annotation.
 */
const invisible =
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]+/gu;

/** A server's string made safe to show as plain text: what cannot be seen becomes one space, and it ends at `maxLength`. */
export function cleanText(text: string, maxLength = 200): string {
  const clean = text.replace(invisible, ' ').trim();
  return clean.length > maxLength ? `${clean.slice(0, maxLength - 1)}…` : clean;
}

const tag = /<\/?[a-z][a-z\d]{0,20}(?:\s[^<>=]{0,100}=[^<>]{0,1000})?\s?\/?>/gi;

/** The text without the tags of HTML; a comparison such as `a<b` stays. */
export function stripMarkup(text: string): string {
  return text.replace(tag, '');
}
