import * as v from 'valibot';
import { sortedByName, type JsonValue } from './exactJson.ts';
import type { Clock } from './time.ts';

/** What stores JSON values by key: VS Code's global state for all windows, its workspace state for one. */
export type ValueStorage = {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
};

type StoredValueOptions<T> = {
  /** The value while nothing valid is stored. */
  readonly initial: T;
  /** Each write stores all keys as this window knows them: one for a value that nobody misses. 3 by default. */
  readonly maxWrites?: number;
  /** What of the value counts, whenever it is read or written. */
  readonly keep?: (value: T) => T;
};

/**
 * One value that VS Code stores. VS Code loses a write if it learns of an earlier one at the same moment: then
 * the value is written again, and until then this window knows it. A window has one object for each key, else
 * one could undo what another has just written.
 */
export class StoredValue<T> {
  private readonly storage: ValueStorage;
  private readonly key: string;
  private readonly schema: v.GenericSchema<unknown, T>;
  private readonly options: StoredValueOptions<T>;
  /** Changes that are being written. */
  private readonly pending: ((value: T) => T)[] = [];
  /** VS Code gives the same object until somebody writes another. */
  private parsed: { readonly raw: unknown; readonly value: T };

  constructor(
    storage: ValueStorage,
    key: string,
    schema: v.GenericSchema<unknown, T>,
    options: StoredValueOptions<NoInfer<T>>,
  ) {
    this.storage = storage;
    this.key = key;
    this.schema = schema;
    this.options = options;
    this.parsed = { raw: undefined, value: options.initial };
  }

  get(): T {
    return this.kept(this.pending.reduce((value, change) => change(value), this.stored()));
  }

  async set(value: T): Promise<void> {
    await this.update(() => value);
  }

  /** A change that is applied twice must do the same as once. */
  async update(change: (value: T) => T): Promise<void> {
    const { initial, maxWrites = 3 } = this.options;
    this.pending.push(change);
    try {
      for (let writes = 0; writes < maxWrites && !isSame(this.stored(), this.get()); writes += 1) {
        const value = this.get();
        await this.storage.update(this.key, isSame(value, initial) ? undefined : value);
      }
    } finally {
      this.pending.splice(this.pending.indexOf(change), 1);
    }
  }

  private stored(): T {
    const raw = this.storage.get(this.key);
    if (raw !== this.parsed.raw) {
      const result = v.safeParse(this.schema, raw);
      this.parsed = { raw, value: result.success ? result.output : this.options.initial };
    }
    return this.kept(this.parsed.value);
  }

  private kept(value: T): T {
    return this.options.keep?.(value) ?? value;
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
    const value = values.get(name) ?? new StoredValue(storage, key, schema, { initial });
    values.set(name, value);
    return value;
  };
}

export type StoredList<Item> = StoredValue<readonly Item[]>;

type StoredListOptions = Pick<StoredValueOptions<unknown>, 'maxWrites'> & {
  /** How many items are kept: the last ones. */
  readonly limit?: number;
};

/** A list that VS Code stores, without what is damaged in it. */
export function storedList<Item>(
  storage: ValueStorage,
  key: string,
  item: v.GenericSchema<unknown, Item>,
  { limit = Number.POSITIVE_INFINITY, ...options }: StoredListOptions = {},
): StoredList<Item> {
  const schema = v.pipe(
    v.array(v.unknown()),
    v.transform((items) => items.filter((one): one is Item => v.is(item, one))),
    v.readonly(),
  );
  const keep = (items: readonly Item[]): readonly Item[] => items.slice(-limit);
  return new StoredValue(storage, key, schema, { ...options, initial: [], keep });
}

type StoredItemsOptions<Item> = {
  /** How many items are kept: the newest ones. */
  readonly limit: number;
  /** Items that are as old are forgotten, and those of a future time: the clock was set back since. */
  readonly expiresAfterMs: number;
  readonly clock: Clock;
  readonly timeOf: (item: Item) => number;
  /** What items of one thing share: the newest of them counts. */
  readonly keyOf: (item: Item) => string;
};

/**
 * Items that are written so often that VS Code may lose several writes in a row, or return an older value after
 * one. Each is written once. What this window put itself it always knows, and writes again with the next.
 */
export class StoredItems<Item> {
  private readonly options: StoredItemsOptions<Item>;
  private readonly list: StoredList<Item>;
  private own: readonly Item[] = [];

  constructor(
    storage: ValueStorage,
    key: string,
    item: v.GenericSchema<unknown, Item>,
    options: StoredItemsOptions<NoInfer<Item>>,
  ) {
    this.options = options;
    this.list = storedList(storage, key, item, { maxWrites: 1 });
  }

  /** Newest first. */
  get(): readonly Item[] {
    return this.newest([...this.own, ...this.list.get()]);
  }

  put(items: readonly Item[]): Promise<void> {
    this.own = this.newest([...items, ...this.own]);
    return this.list.update((all) => this.newest([...this.own, ...all]));
  }

  private newest(items: readonly Item[]): readonly Item[] {
    const { limit, expiresAfterMs, clock, timeOf, keyOf } = this.options;
    const now = clock.now();
    const newestFirst = items
      .filter((item) => timeOf(item) <= now && now - timeOf(item) < expiresAfterMs)
      .toSorted((one, other) => timeOf(other) - timeOf(one));
    const byKey = Map.groupBy(newestFirst, keyOf);
    return [...byKey.values()].flatMap((same) => same.slice(0, 1)).slice(0, limit);
  }
}

/** For what belongs to this window alone. */
export function storageInMemory(): ValueStorage {
  const values = new Map<string, unknown>();
  return {
    get: (key) => values.get(key),
    update: (key, value) => Promise.resolve(void values.set(key, value)),
  };
}

/** Whatever the order of fields, as VS Code stores JSON. */
function isSame(one: unknown, other: unknown): boolean {
  return canonical(one) === canonical(other);
}

function canonical(value: unknown): string {
  const stored = JSON.parse(JSON.stringify(value ?? null)) as JsonValue;
  return JSON.stringify(sortedByName(stored));
}
