import type { ByKind } from '../../exchange/decoders.ts';
import type { Column } from '../../protocol/table.ts';

/** How a field can be shown, by what it is. */
type CellKinds = {
  text: 'text' | 'enum' | 'link';
  number: 'decimal' | 'percent' | 'distance';
  id: 'id';
  flag: 'flag';
  time: 'time';
};

type ColumnsOf<Kinds, Of extends Column> = {
  readonly [Field in keyof Kinds]: Omit<Of, 'field' | 'kind'> & {
    readonly kind: ByKind<Kinds, CellKinds>[Field];
  };
};

/** A column for each field of a record, in this order. A field that is left out does not compile. */
export function recordColumns<Kinds, Of extends Column = Column>(
  columns: ColumnsOf<Kinds, Of>,
): Of[] {
  return Object.entries<object>(columns).map(([field, column]) => ({ field, ...column }) as Of);
}
