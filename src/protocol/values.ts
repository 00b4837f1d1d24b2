/** What host and pages know alike. Only the host has the schemas of messages: a page is smaller without them. */

/** In CSS pixels. */
export const columnWidthLimits = { min: 32, max: 2000 } as const;
export const defaultLayout: { order: string[]; hidden: string[]; widths: Record<string, number> } =
  {
    order: [],
    hidden: [],
    widths: {},
  };

/** In UTF-16 code units. */
export const maxFilterLength = 200;

/** Where the rows of a history are read. */
export const tableSources = ['exchange', 'ledger'] as const;
export type TableSource = (typeof tableSources)[number];

/** The rows of a page of the ledger: a usual history is one page. */
export const ledgerPageSize = 20_000;
/** The first rows of such a page: more than a screen has. */
export const ledgerStartSize = 200;
