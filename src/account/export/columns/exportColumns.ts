import { plain } from '../../../base/decimal.ts';
import { utcFieldName, type ExportFields } from '../exportFields.ts';

/** The fields of a record in order, and the JSON text of the others. */
export type Cells = readonly (string | boolean | null)[];

/** The most digits that a number of a column has, in plain notation. */
type Digits = {
  /** Before the decimal point. */
  readonly whole: number;
  /** After it. */
  readonly scale: number;
  /** From the first to the last that is not 0. */
  readonly significant: number;
};

/** A column of a file: `at` is the index of its cell. `utc` is the moment of a timestamp. */
export type ExportColumn = NumberColumn | (NamedCell & { readonly kind: 'text' | 'flag' | 'utc' });
type NumberColumn = NamedCell & { readonly kind: 'number'; readonly digits: Digits };
type NamedCell = { readonly name: string; readonly at: number };

/** The columns of a history, in the order of its CSV, each number with the digits of all `batches` of rows. */
export async function columnsOf(
  fields: ExportFields,
  batches: AsyncIterable<readonly Cells[]>,
): Promise<readonly ExportColumn[]> {
  const kinds = Object.values(fields);
  const digits = kinds.map(() => ({ whole: 0, scale: 0, significant: 0 }));
  const numbers = kinds.flatMap((kind, at) => (kind === 'number' || kind === 'time' ? [at] : []));
  for await (const rows of batches)
    for (const row of rows)
      for (const at of numbers) {
        const [text, most] = [row[at], digits[at]];
        if (typeof text === 'string' && most) raiseTo(most, text);
      }
  return [
    ...Object.entries(fields).flatMap(([name, kind], at): ExportColumn[] => {
      if (kind === 'text' || kind === 'flag') return [{ name, at, kind }];
      const most = digits[at] ?? { whole: 0, scale: 0, significant: 0 };
      const number: NumberColumn = { name, at, kind: 'number', digits: most };
      return kind === 'number' ? [number] : [number, { name: utcFieldName(name), at, kind: 'utc' }];
    }),
    { name: 'extra', at: kinds.length, kind: 'text' },
  ];
}

function raiseTo(most: { -readonly [Name in keyof Digits]: number }, text: string): void {
  const [integer = '', fraction = ''] = plain(text).replace('-', '').split('.');
  const whole = integer === '0' ? 0 : integer.length;
  const significant = `${integer}${fraction}`.replace(/^0+|0+$/g, '').length;
  most.whole = Math.max(most.whole, whole);
  most.scale = Math.max(most.scale, fraction.length);
  most.significant = Math.max(most.significant, significant);
}
