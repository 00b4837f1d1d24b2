/**
 * Control, bidirectional and invisible characters: C0, C1, soft hyphen, Arabic letter mark, zero
 * width and direction marks, embeddings, overrides, isolates, BOM, tags, interlinear annotation.
 */
const invisible =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]+/gu;

/** Runs of other characters that show nothing, such as fillers and selectors; an emoji may keep its own. */
const blank = /(?!(?<=\p{Extended_Pictographic})\ufe0f)[\p{Default_Ignorable_Code_Point}\u2800]+/gu;

/** A character of a name that shows nothing; an emoji may keep its selector. */
const hidden =
  /(?!(?<=\p{Extended_Pictographic})\ufe0f)[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u2800]/gu;

/**
 * A server's string made safe to show as plain text: controls become one space, of what else cannot
 * be seen the first of a run is escaped, and it ends at `maxLength`.
 */
export function cleanText(text: string, maxLength = 200): string {
  // Runs become shorter, but nobody looks for what such a long one hides.
  const start = text.slice(0, maxLength * 400);
  const clean = start.replace(invisible, ' ').replace(blank, escapeFirst).trim();
  return clean.length > maxLength ? `${clean.slice(0, maxLength - 1)}…` : clean;
}

/** A name with everything escaped that cannot be seen, so that it imitates no other: `Main\u{3164}`. */
export function escapeInvisible(name: string): string {
  return name.replace(hidden, escapeFirst);
}

/** A character of a name that cannot be seen, also the selector of an emoji. */
export function invisibleCharacterIn(name: string): string | undefined {
  return /\ufe0f/.exec(name)?.[0] ?? name.match(hidden)?.[0];
}

/** The first character of a run. */
function escapeFirst(run: string): string {
  return `\\u{${run.codePointAt(0)?.toString(16)}}`;
}

/** A text as a part of a file name; empty if nothing of it can be one. */
export function fileNamePart(text: string): string {
  return text.replace(/[^\p{L}\p{N}._]+/gu, '-').replace(/^[-.]+|[-.]+$/g, '');
}

const tag = /<\/?[a-z][a-z\d]{0,20}(?:\s[^<>=]{0,100}=[^<>]{0,1000})?\s?\/?>/gi;

/** The text without the tags of HTML; a comparison such as `a<b` stays. */
export function stripMarkup(text: string): string {
  return text.replace(tag, '');
}
