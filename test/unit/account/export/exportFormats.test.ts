import fc from 'fast-check';
import assert from 'node:assert/strict';
import {
  exportFields,
  utcInstant,
  type ExportRecord,
  type WrittenKind,
} from '../../../../src/account/export/exportFields.ts';
import { rowSerializer } from '../../../../src/account/export/exportFormats.ts';
import { JsonNumber, parseJson, type JsonValue } from '../../../../src/base/exactJson.ts';
import { historyNames, type HistoryName } from '../../../../src/api/operations.ts';
import { anOrder } from '../../../support/builders.ts';
import { parseCsv } from '../../../support/parseCsv.ts';

function written(
  format: Parameters<typeof rowSerializer>[0],
  records: readonly ExportRecord[],
  history: HistoryName = 'orders',
): string {
  const writer = rowSerializer(format, exportFields(history));
  const rows = records.map((record, index) => writer.row(record, index === 0));
  return [writer.header, ...rows, writer.footer].join('');
}

/** The field of each row by its name in the header. */
function csvRows(text: string): Record<string, string>[] {
  const [header = [], ...rows] = parseCsv(text);
  return rows.map((row) => {
    assert.equal(row.length, header.length);
    return Object.fromEntries(header.map((name, index) => [name, row[index] ?? '']));
  });
}

const numberText = fc.oneof(
  fc.stringMatching(/^-?(0|[1-9][0-9]{0,30})(\.[0-9]{1,30})?([eE][+-]?[0-9]{1,3})?$/),
  fc.constantFrom('-0', '1E-7', '1.10', '-5.25', '9007199254740993', '0.000000000000000001'),
);
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '=1+1',
    '\t=1',
    '\u202e@x',
    '"',
    ',',
    '\r\n',
    '',
    ' ',
    '-5.25',
    '＝A1',
    "'=1",
    'a;=1',
    ';',
    "x\t'=1",
  ),
  fc.string({ unit: fc.constantFrom("'", '=', '-', ';', '\t', '\n', '\u200f', ' ', '1', 'a') }),
);
const json: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    anyText,
    numberText.map((text) => new JsonNumber(text)),
    fc.constantFrom(null, true, false),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.string(), tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;

const values: Readonly<Record<WrittenKind, fc.Arbitrary<string | boolean | null>>> = {
  text: fc.oneof(anyText, fc.constant(null)),
  number: fc.oneof(numberText, fc.constant(null)),
  flag: fc.boolean(),
  time: fc.oneof(fc.nat({ max: 4_102_444_800_000 }).map(String), numberText),
};

function recordOf(history: HistoryName): fc.Arbitrary<ExportRecord> {
  const fields = Object.entries(exportFields(history)).map(
    ([name, kind]) => [name, values[kind]] as const,
  );
  const known = fc.record(Object.fromEntries(fields));
  const extra = fc.dictionary(fc.string(), json, { maxKeys: 2, noNullPrototype: true });
  return fc.tuple(known, extra).map(([record, more]) => ({ ...record, extra: more }));
}

/** Any history and some of its records. */
const exported = fc
  .constantFrom(...historyNames)
  .chain((history) =>
    fc.tuple(fc.constant(history), fc.array(recordOf(history), { maxLength: 4 })),
  );

describe('the rows of an export', () => {
  it('have the fields of the API document, in its order, and each time also in UTC', () => {
    const headers = historyNames.map((history) => parseCsv(written('csv', [], history))[0]?.join());
    assert.deepEqual(headers, [
      'symbol,amount,side,orderId,price,clientOrderId,averageExecutionPrice,filled,time,timeUtc,type,status,extra',
      'tradeId,orderId,symbol,amount,price,side,maker,fee,rpnl,feeAsset,type,time,timeUtc,extra',
      'lotId,symbol,side,amount,totalBids,averageLiquidationPrice,marginCallPrice,discount,updatedAt,updatedAtUtc,extra',
      'transactionId,transactionUuid,asset,link,amount,type,time,timeUtc,extra',
    ]);
  });

  it('read back from CSV as they were, every digit of them', () => {
    fc.assert(
      fc.property(exported, ([history, records]) => {
        const rows = csvRows(written('csv', records, history));
        assert.equal(rows.length, records.length);
        records.forEach((record, index) => {
          for (const [field, kind] of Object.entries(exportFields(history))) {
            const value = scalar(record[field]);
            const read = rows[index]?.[field] ?? assert.fail(field);
            assert.equal(kind === 'text' ? unguarded(read) : read, value);
            if (kind === 'text') assert.deepEqual(formulasOf(read), [], read);
          }
        });
      }),
    );
  });

  for (const format of ['json', 'jsonl'] as const) {
    it(`read back from ${format} as they were, every digit of them`, () => {
      fc.assert(
        fc.property(exported, ([history, records]) => {
          const text = written(format, records, history);
          const whole = format === 'json' ? text : `[${text.trimEnd().replaceAll('\n', ',')}]`;
          const read = parseJson(whole);
          assert.deepEqual(
            read,
            records.map((record) => expectedJson(record, history)),
          );
        }),
      );
    });
  }

  it('of JSON Lines are one per line, with any text in them', () => {
    const text = written('jsonl', [anOrder({ symbol: 'a\nb\u2028c' }), anOrder()]);
    assert.equal(text.split('\n').length, 3);
  });
});

describe('a field of CSV', () => {
  const cell = (clientOrderId: string | null) =>
    written('csv', [anOrder({ clientOrderId })])
      .split('\r\n')
      .slice(1)
      .join('\r\n')
      .split(',')[5];

  for (const [text, expected] of [
    ['=cmd|/C calc', "'=cmd|/C calc"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['＝1', "'＝1"],
    ['  =1', "'  =1"],
    ['\t=1', "\t'=1"],
    ['a;=1+1', "a;'=1+1"],
    ['a;-5.25', 'a;-5.25'],
    ["'=1", "''=1"],
    ["it's", "it's"],
    ['\ud83d', '\\ud83d'],
    ['\u202e=1', "'\u202e=1"],
    ['-5.25', '-5.25'],
    ['-1E-7', '-1E-7'],
    ['', '""'],
    ['say "hi"', '"say ""hi"""'],
  ] as const) {
    it(`writes the text ${JSON.stringify(text)} as ${JSON.stringify(expected)}`, () => {
      assert.equal(cell(text), expected);
    });
  }

  it('is empty for null', () => {
    assert.equal(cell(null), '');
  });

  it('contains the other fields of a record as JSON, digit for digit', () => {
    const extra = { note: 'a;=1', fee: new JsonNumber('0.10'), ['__proto__']: null };
    const [row] = csvRows(written('csv', [anOrder({ extra })]));
    assert.equal(row?.extra, '{"note":"a\\u003b=1","fee":0.10,"__proto__":null}');
  });
});

describe('a time in UTC', () => {
  it('is an ISO instant with every digit of its fraction, or empty without a time', () => {
    for (const fraction of ['', '.123', '.123456', '.123456789']) {
      const text = `1763632800${fraction.slice(1)}`;
      assert.equal(utcInstant(text), `2025-11-20T10:00:00${fraction}Z`);
    }
    assert.deepEqual(['1E3', '9'.repeat(15), '1.5', ''].map(utcInstant), [null, null, null, null]);
  });
});

/** A field as CSV tells it. */
function scalar(value: ExportRecord[string] | undefined): string {
  return typeof value === 'string' || typeof value === 'boolean' ? String(value) : '';
}

/** How docs/exports.md says to read a text: without one `'` at the start and after each `;`, tab and line end. */
function unguarded(read: string): string {
  return read.replaceAll(/(^|[;\t\r\n])'/g, '$1');
}

/** What a spreadsheet would run, wherever it begins a cell: anything but a number behind one of these signs. */
function formulasOf(read: string): string[] {
  const cells = read.split(/[;\t\r\n]/);
  return cells.filter((cell) => /^[\s\p{C}]*[=+@＝＋－＠|%-]/u.test(cell) && !isNumber(cell));
}

function isNumber(cell: string): boolean {
  return /^-\d+(\.\d+)?([eE][+-]?\d+)?$/.test(cell);
}

/** The JSON that a record is expected to have. */
function expectedJson(record: ExportRecord, history: HistoryName): JsonValue {
  const members = Object.entries(exportFields(history)).flatMap(
    ([field, kind]): [string, JsonValue][] => {
      const value = record[field] ?? null;
      if (typeof value !== 'string' || kind === 'text') return [[field, value]];
      const number: [string, JsonValue] = [field, new JsonNumber(value)];
      return kind === 'time' ? [number, [`${field}Utc`, utcInstant(value)]] : [number];
    },
  );
  const { extra } = record;
  if (Object.keys(extra).length > 0) members.push(['extra', extra]);
  return Object.fromEntries(members);
}
