import * as v from 'valibot';
import { sortedByName, type JsonValue } from './exactJson.ts';

/** What stores JSON values by key: VS Code's global state for all windows, its workspace state for one. */
export type ValueStorage = {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
};

const defaultMaxWrites = 3;

/**
 * One value that VS Code stores: `initial` while nothing valid is stored. VS Code loses a write if it learns
 * of an earlier one at the same moment: then the value is written again, and until then this window knows it.
 * A window has one object for each key, else one could undo what another has just written. Each write stores
 * all keys as this window knows them: a value that is often written, and not missed, has one as `maxWrites`.
 */
export class StoredValue<T> {
  private readonly storage: ValueStorage;
  private readonly key: string;
  private readonly schema: v.GenericSchema<unknown, T>;
  private readonly initial: T;
  private readonly maxWrites: number;
  /** Changes that are being written. */
  private readonly pending: ((value: T) => T)[] = [];
  /** VS Code gives the same object until somebody writes another. */
  private parsed: { readonly raw: unknown; readonly value: T };

  constructor(
    storage: ValueStorage,
    key: string,
    schema: v.GenericSchema<unknown, T>,
    initial: NoInfer<T>,
    maxWrites = defaultMaxWrites,
  ) {
    this.storage = storage;
    this.key = key;
    this.schema = schema;
    this.initial = initial;
    this.maxWrites = maxWrites;
    this.parsed = { raw: undefined, value: initial };
  }

  get(): T {
    return this.pending.reduce((value, change) => change(value), this.stored());
  }

  async set(value: T): Promise<void> {
    await this.update(() => value);
  }

  /** A change that is applied twice must do the same as once. */
  async update(change: (value: T) => T): Promise<void> {
    this.pending.push(change);
    try {
      for (
        let writes = 0;
        writes < this.maxWrites && !isSame(this.stored(), this.get());
        writes += 1
      ) {
        const value = this.get();
        await this.storage.update(this.key, isSame(value, this.initial) ? undefined : value);
      }
    } finally {
      this.pending.splice(this.pending.indexOf(change), 1);
    }
  }

  private stored(): T {
    const raw = this.storage.get(this.key);
    if (raw !== this.parsed.raw) {
      const result = v.safeParse(this.schema, raw);
      this.parsed = { raw, value: result.success ? result.output : this.initial };
    }
    return this.parsed.value;
  }
}

/** One stored value for each name, such as for each table. */
export function storedValues<T>(
  storage: ValueStorage,
  prefix: string,
  schema: v.GenericSchema<unknown, T>,
  initial: NoInfer<T>,
): (name: string) => StoredValue<T> {
  const values = new Map<string, StoredValue<T>>();
  return (name) => {
    const key = `${prefix}.${name}`;
    const value = values.get(name) ?? new StoredValue(storage, key, schema, initial);
    values.set(name, value);
    return value;
  };
}

/** A list without what is damaged in it. */
export function validItems<T>(item: v.GenericSchema<unknown, T>) {
  return v.pipe(
    v.array(v.unknown()),
    v.transform((items) => items.filter((one): one is T => v.is(item, one))),
    v.readonly(),
  );
}

/** Whatever the order of fields, as VS Code stores JSON. */
function isSame(one: unknown, other: unknown): boolean {
  return canonical(one) === canonical(other);
}

function canonical(value: unknown): string {
  const stored = JSON.parse(JSON.stringify(value ?? null)) as JsonValue;
  return JSON.stringify(sortedByName(stored));
}
