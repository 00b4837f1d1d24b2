import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';
import { documentSchema } from '../../src/protocol/document.ts';

const folder = path.join(import.meta.dirname, '../approved');

/**
 * Compares a document with the approved file of that name, which a person has read. `APPROVE=1` writes the file:
 * a change of words or structure is then a diff to read.
 */
export function assertApproved(name: string, document: unknown): void {
  const { display: _display, ...shown } = v.parse(documentSchema, document);
  assertApprovedLines(name, lines(shown));
}

/** The same of any lines. */
export function assertApprovedLines(name: string, shown: readonly string[]): void {
  const text = shown.join('\n').concat('\n');
  const file = path.join(folder, `${name}.txt`);
  if (process.env.APPROVE === '1') {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  assert.equal(text, readFileSync(file, 'utf8'));
}

/** One line for each text; what is empty, null or false is left out. */
function lines(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(itemLines);
  if (typeof value !== 'object' || value === null) return [String(value)];
  return Object.entries(value).flatMap(([name, inner]) => {
    if (isEmpty(inner)) return [];
    if (typeof inner !== 'object') return [`${name}: ${String(inner)}`];
    if (isShort(inner)) return [`${name}: ${JSON.stringify(inner)}`];
    return [`${name}:`, ...lines(inner).map((line) => `  ${line}`)];
  });
}

function itemLines(item: unknown): string[] {
  if (isShort(item)) return [`- ${JSON.stringify(item)}`];
  const [first = '', ...others] = lines(item);
  return [`- ${first}`, ...others.map((line) => `  ${line}`)];
}

function isEmpty(value: unknown): boolean {
  return (
    value === null ||
    value === '' ||
    value === false ||
    (Array.isArray(value) && value.length === 0)
  );
}

/** On one line: a list without objects, or an object of one text. */
function isShort(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const inner = Object.values(value);
  const isFlat = inner.every((each) => typeof each !== 'object' || each === null);
  return isFlat && JSON.stringify(value).length <= 90;
}
