import type { DisplayField } from '../base/fieldPrivacy.ts';
import type { ValueOf } from './decoders.ts';
import type * as records from './records.ts';

type Records = typeof records;
type Pages = Records['pages'];

/** What each decoder of an answer gives; of a history its rows, without the counts of the page. */
type Answer =
  ValueOf<Exclude<Records[keyof Records], Pages>> | ValueOf<Pages[keyof Pages]>['content'];

/** The names of the fields of a record, and of the records in it. A list of texts is a field too. */
type FieldName<Value> = Value extends readonly (infer Item)[]
  ? FieldName<Item>
  : {
      [Name in Exclude<keyof Value, 'extra'>]: NonNullable<Value[Name]> extends readonly object[]
        ? FieldName<NonNullable<Value[Name]>>
        : Name;
    }[Exclude<keyof Value, 'extra'>];

/** A field that `base/fieldPrivacy.ts` classifies as private or public. */
export type Classified<Field extends DisplayField> = Field;

/** Every field of every record. A field without a privacy class does not compile here. */
export type RecordField = Classified<FieldName<Answer>>;
