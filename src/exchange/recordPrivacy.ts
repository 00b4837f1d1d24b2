import type { FieldGroup } from '../base/fieldPrivacy.ts';
import type { ValueOf } from './decoders.ts';
import type * as records from './records.ts';

type Records = typeof records;
type Pages = Records['pages'];

/** What each decoder of an answer gives; of a history its rows, without the counts of the page. */
type Answer =
  | ValueOf<Exclude<Records[keyof Records], Pages>>
  | ValueOf<Pages[keyof Pages]>['content'];

/** A value, or the items if it is a list. */
type ItemOf<Value> = Value extends readonly (infer Item)[] ? ItemOf<Item> : Value;

/** The records that a value is, or a list of. */
type OwnRecord<Value> = Exclude<ItemOf<Value>, string | number | boolean | null | undefined>;

/** The records that a value is, or contains at any depth. */
type AnyRecord<Value> =
  OwnRecord<Value> extends infer Found
    ? Found extends unknown
      ? Found | AnyRecord<Found[Exclude<keyof Found, 'extra'>]>
      : never
    : never;

/** The names of the fields of a record that contain no records. A list of texts is a field too. */
type FieldName<Found> = Found extends unknown
  ? {
      [Name in keyof Found]: [OwnRecord<Found[Name]>] extends [never] ? Name : never;
    }[Exclude<keyof Found, 'extra'>]
  : never;

/** The group of these fields and no others. */
type GroupOf<Name, Group = FieldGroup> = Group extends unknown
  ? [Name, keyof Group] extends [keyof Group, Name]
    ? Group
    : never
  : never;

/** The records in a value whose fields have no group in `base/fieldPrivacy.ts`. */
export type Unclassified<Value> =
  AnyRecord<Value> extends infer Found
    ? Found extends unknown
      ? [GroupOf<FieldName<Found>>] extends [never]
        ? Found
        : never
      : never
    : never;

/** Compiles only for a type without values. */
export type None<Found extends never> = Found;

export type EveryRecordIsClassified = None<Unclassified<Answer>>;

/** Every field of every record. */
export type RecordField = FieldName<AnyRecord<Answer>>;
