import { DatabaseSync, type SQLInputValue } from 'node:sqlite';

type Row = Readonly<Record<string, SQLInputValue>>;

/** The tables of freqtrade with the columns that a comparison reads; old ones keep no funding. What a row does not say is null. */
export function freqtradeDatabase(file: string, { keepsFunding = true } = {}) {
  const database = new DatabaseSync(file);
  database.exec(`PRAGMA synchronous = OFF; BEGIN;
    CREATE TABLE trades (id INTEGER PRIMARY KEY, pair TEXT, stake_currency TEXT, is_short INTEGER, leverage FLOAT,
      fee_open_cost FLOAT, fee_open_currency TEXT, fee_close_cost FLOAT, fee_close_currency TEXT, close_profit_abs FLOAT,
      ${keepsFunding ? 'funding_fees FLOAT, ' : ''}open_date DATETIME, close_date DATETIME);
    CREATE TABLE orders (id INTEGER PRIMARY KEY, ft_trade_id INTEGER, ft_order_side TEXT, ft_pair TEXT, order_id TEXT,
      side TEXT, price FLOAT, average FLOAT, filled FLOAT, order_date DATETIME, order_filled_date DATETIME,
      order_update_date DATETIME);`);
  const addTo = (table: string) => (row: Row) => {
    const names = Object.keys(row);
    const values = names.map((name) => `:${name}`);
    database.prepare(`INSERT INTO ${table} (${names.join()}) VALUES (${values.join()})`).run(row);
  };
  const close = (): void => {
    database.exec('COMMIT');
    database.close();
  };
  return { addTrade: addTo('trades'), addOrder: addTo('orders'), close };
}
