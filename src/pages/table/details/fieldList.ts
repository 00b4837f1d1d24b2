import { html, nothing, type TemplateResult } from 'lit';
import { cleanText } from '../../../base/cleanText.ts';
import { isTimestamp, isoTime } from '../../../base/time.ts';
import type { RecordFields, SummaryItem } from '../../../protocol/table.ts';
import { cellText } from '../grid/gridCells.ts';
import type { FieldChoice } from '../grid/gridState.ts';
import type { OpenState } from '../state/pageState.ts';
import { iconButton } from '../view/iconButton.ts';

type Copy = (choice: FieldChoice) => void;

/** Every field of a record; with a button to copy each if `copy` is given. */
export function fieldList(
  { fields, extra }: RecordFields,
  state: OpenState,
  copy?: Copy,
): TemplateResult {
  const { texts } = state;
  return html`
    <dl class="fieldList">${fields.map((item) => fieldView(item, state, copy))}</dl>
    ${extra.length === 0 ? nothing : html`<h3>${texts.otherFields}</h3>`}
    <dl class="fieldList">
      ${extra.map(({ name, text }) => {
        const shownName = cleanText(name, 100);
        const label = texts.copyField(shownName);
        const choice: FieldChoice = { field: name, isExtra: true, as: 'text' };
        return line(shownName, cleanText(text, 2000), copy && [label, () => copy(choice)]);
      })}
    </dl>
  `;
}

function fieldView(item: SummaryItem, state: OpenState, copy: Copy | undefined): TemplateResult {
  const { texts, display } = state;
  const { label, field, kind, cell } = item;
  const copyAs = (as: FieldChoice['as']) => copy && (() => copy({ field, isExtra: false, as }));
  const button = (text: string, run: (() => void) | undefined): Button =>
    run && cell !== null ? [text, run] : undefined;
  if (kind !== 'time' || cell === null || !isTimestamp(cell))
    return line(
      label,
      cellText(cell, item, display),
      button(texts.copyField(label), copyAs('text')),
    );
  return html`
    ${line(label, cleanText(display.time(cell)), undefined)}
    ${line(texts.timeAsIso, isoTime(cell), button(texts.copyIso, copyAs('iso')))}
    ${line(texts.timeAsEpoch, cell, button(texts.copyEpoch, copyAs('text')))}
  `;
}

/** The accessible name of a button and what it does. */
type Button = readonly [label: string, run: () => void] | undefined;

function line(name: string, text: string, button: Button): TemplateResult {
  return html`<div>
    <dt>${name}</dt>
    <dd>
      <span>${text}</span>
      ${button ? iconButton('copy', button[0], button[1]) : nothing}
    </dd>
  </div>`;
}
