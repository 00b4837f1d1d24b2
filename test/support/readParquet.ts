import { DuckDBInstance } from '@duckdb/node-api';

/** A table as DuckDB reads it: the type of each column, and every value as its text. */
export type ReadTable = {
  readonly types: Readonly<Record<string, string>>;
  readonly rows: readonly Readonly<Record<string, string | null>>[];
};

/** Reads Parquet with DuckDB: `source` is a path, or a call such as `read_parquet(…)`. Times are in epoch milliseconds. */
export async function readParquet(source: string): Promise<ReadTable> {
  const from = source.includes('(') ? source : `'${source}'`;
  const described = await ask(`DESCRIBE SELECT * FROM ${from}`);
  const types = Object.fromEntries(described.map(([name, type]) => [String(name), String(type)]));
  const names = Object.keys(types);
  const columns = names.map((name) => {
    const value = types[name]?.startsWith('TIMESTAMP') ? `epoch_ms("${name}")` : `"${name}"`;
    return `${value}::VARCHAR`;
  });
  const rows = await ask(`SELECT ${columns.join(', ')} FROM ${from}`);
  return {
    types,
    rows: rows.map((row) => Object.fromEntries(names.map((name, at) => [name, textOf(row[at])]))),
  };
}

async function ask(sql: string): Promise<readonly (readonly unknown[])[]> {
  const database = await DuckDBInstance.create(':memory:');
  const connection = await database.connect();
  try {
    return (await connection.runAndReadAll(sql)).getRows();
  } finally {
    connection.closeSync();
    database.closeSync();
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
