import assert from 'node:assert/strict';
import { copiedText } from '../../../src/protocol/copiedText.ts';
import type { CopyFormat } from '../../../src/protocol/gridMessages.ts';
import type { Cell, Column } from '../../../src/protocol/table.ts';

const columns: readonly Column[] = [
  { field: 'time', label: 'Time', kind: 'time' },
  { field: 'amount', label: 'Amount', kind: 'decimal' },
  { field: 'clientOrderId', label: 'Client order id', kind: 'text' },
  { field: 'maker', label: 'Maker', kind: 'flag' },
  { field: 'orderId', label: 'Order id', kind: 'id' },
  { field: 'distance', label: 'Distance', kind: 'distance' },
];
const rows: readonly (readonly Cell[])[] = [
  ['1763632800123', '1E-7', 'plain', 'true', '9007199254740993', '-2.50'],
  ['1763632800', '1.10', 'a\tb\n"c"|<b>_', 'false', null],
];

function copied(format: CopyFormat, places: readonly number[], of: readonly number[] = [0, 1]) {
  const selection = {
    pageId: 1,
    columns: [...places],
    rows: of.map((row) => ({ row, columns: [...places] })),
    isRows: false,
  };
  return copiedText({ selection, format }, columns, rows);
}

describe('copied cells', () => {
  it('are the exchange’s own text, and times as ISO 8601', () => {
    assert.equal(copied('tsv', [1, 0, 4], [0]), '1E-7\t2025-11-20T10:00:00.123Z\t9007199254740993');
    assert.equal(copied('tsv', [0, 4], [1]), '2025-11-20T10:00:00Z\t');
  });

  it('are a single cell byte for byte', () => {
    assert.equal(copied('tsv', [2], [1]), 'a\tb\n"c"|<b>_');
  });

  it('keep tabs and line breaks of a cell apart from those between cells', () => {
    assert.equal(copied('tsv', [1, 2]), '1E-7\tplain\n1.10\t"a\tb\n""c""|<b>_"');
  });

  it('can have the headers above them, also above one cell', () => {
    assert.equal(copied('tsvWithHeaders', [1], [0]), 'Amount\n1E-7');
    assert.equal(copied('tsvWithHeaders', [3, 1], [0]), 'Maker\tAmount\ntrue\t1E-7');
  });

  it('are JSON with every digit and with the names of the API', () => {
    const text = copied('json', [0, 1, 3, 4]) ?? '';
    assert.match(text, /"orderId": 9007199254740993\b/);
    assert.match(text, /"amount": 1\.10,/);
    assert.deepEqual(JSON.parse(text), [
      { time: '2025-11-20T10:00:00.123Z', amount: 1e-7, maker: true, orderId: 9007199254740992 },
      { time: '2025-11-20T10:00:00Z', amount: 1.1, maker: false, orderId: null },
    ]);
    assert.equal(copied('json', [5], [0]), '{\n  "distance": -2.50\n}');
    assert.equal(copied('json', [2], [0]), '{\n  "clientOrderId": "plain"\n}');
  });

  it('are a Markdown table in which no text is markup', () => {
    assert.equal(
      copied('markdown', [2, 1]),
      [
        '| Client order id | Amount |',
        '| --- | ---: |',
        '| plain | 1E-7 |',
        '| a\tb<br>"c"\\|\\<b\\>\\_ | 1.10 |',
      ].join('\n'),
    );
  });

  it('leave out cells between ranges', () => {
    const selection = {
      pageId: 1,
      columns: [1, 2],
      rows: [
        { row: 0, columns: [1] },
        { row: 1, columns: [1, 2] },
      ],
      isRows: false,
    };
    const text = (format: CopyFormat) => copiedText({ selection, format }, columns, [...rows]);
    assert.match(text('tsv') ?? '', /^1E-7\t\n1\.10\t/);
    assert.deepEqual(Object.keys((JSON.parse(text('json') ?? '') as object[])[0] ?? {}), [
      'amount',
    ]);
  });

  it('are undefined if the page does not have them', () => {
    assert.equal(copied('tsv', [0], [2]), undefined);
    assert.equal(copied('tsv', [9]), undefined);
  });
});
