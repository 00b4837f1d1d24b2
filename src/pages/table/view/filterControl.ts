import '@vscode-elements/elements/dist/vscode-checkbox/index.js';
import '@vscode-elements/elements/dist/vscode-option/index.js';
import '@vscode-elements/elements/dist/vscode-single-select/index.js';
import type { VscodeCheckbox } from '@vscode-elements/elements/dist/vscode-checkbox/index.js';
import type { VscodeSingleSelect } from '@vscode-elements/elements/dist/vscode-single-select/index.js';
import { html, type TemplateResult } from 'lit';
import { ifDefined } from 'lit/directives/if-defined.js';
import { keyed } from 'lit/directives/keyed.js';
import { live } from 'lit/directives/live.js';
import { cleanText } from '../../../base/cleanText.ts';
import type { Filter } from '../../../protocol/table.ts';
import type { DraftValue } from '../draft.ts';
import type { OpenState } from '../state.ts';
import type { Words } from '../words.ts';
import './combobox.ts';
import type { Dispatch } from './dispatch.ts';
import { problemView } from './problem.ts';
import { switchControl } from './switchControl.ts';

type Control = {
  readonly filter: Filter;
  readonly words: Words;
  readonly id: string;
  readonly value: DraftValue;
  readonly problem: string | undefined;
  readonly resets: number;
  readonly edit: (value: DraftValue) => void;
};

/** The labelled control of one filter, with the sentence that keeps it from being sent. */
export function filterControl(
  filter: Filter,
  state: OpenState,
  dispatch: Dispatch,
): TemplateResult {
  const { parameter } = filter;
  const control: Control = {
    filter,
    words: state.words,
    id: `filter-${parameter}`,
    value: state.draft[parameter] ?? null,
    problem: state.problems[parameter],
    resets: state.resets,
    edit: (value) => dispatch({ kind: 'edited', parameter, value }),
  };
  if (filter.kind === 'choices') return choices(control);
  if (filter.kind === 'switch')
    return switchControl(filter, state.query.filters[parameter], (value) =>
      dispatch({ kind: 'switched', parameter, value }),
    );
  return html`
    <div class="field" data-kind=${filter.kind}>
      <label for=${control.id}>${labelOf(filter, state)}</label>
      ${singleControl(control)} ${problemView(`${control.id}-problem`, control.problem)}
    </div>
  `;
}

/** A date is typed in the shown zone, so its label names it. */
function labelOf({ kind, label }: Filter, { display, words }: OpenState): string {
  return kind === 'instant' ? words.inZone(label, display.zone.name) : label;
}

function singleControl(control: Control): TemplateResult {
  switch (control.filter.kind) {
    case 'text':
      return text(control);
    case 'choice':
      return choice(control);
    case 'instant':
    case 'choices':
    case 'switch':
      return instant(control);
    default:
      return control.filter.kind satisfies never;
  }
}

function text({ filter, id, value, edit }: Control): TemplateResult {
  return html`<margin-combobox
    .inputId=${id}
    .label=${filter.label}
    .value=${typeof value === 'string' ? value : ''}
    .options=${filter.options}
    .edit=${edit}
  ></margin-combobox>`;
}

function choice({ filter, words, id, value, edit }: Control): TemplateResult {
  const change = (event: Event): void => edit((event.target as VscodeSingleSelect).value);
  return html`<vscode-single-select
    id=${id}
    label=${filter.label}
    .value=${typeof value === 'string' ? value : ''}
    @change=${change}
  >
    <vscode-option value="">${words.any}</vscode-option>
    ${filter.options.map(
      (option) => html`<vscode-option value=${option}>${cleanText(option)}</vscode-option>`,
    )}
  </vscode-single-select>`;
}

/** `live` leaves a half-filled control alone: its value is empty, as the draft's is. */
function instant({ id, value, problem, resets, edit }: Control): TemplateResult {
  const input = (event: Event): void => {
    const { validity, value: local } = event.target as HTMLInputElement;
    edit(validity.badInput ? null : local);
  };
  return html`${keyed(
    resets,
    html`<input
      id=${id}
      class="input"
      type="datetime-local"
      step="1"
      max="9999-12-31T23:59:59"
      aria-invalid=${problem === undefined ? 'false' : 'true'}
      aria-describedby=${ifDefined(problem === undefined ? undefined : `${id}-problem`)}
      .value=${live(typeof value === 'string' ? value : '')}
      @input=${input}
    />`,
  )}`;
}

function choices({ filter, value, edit }: Control): TemplateResult {
  const chosen = Array.isArray(value) ? (value as readonly string[]) : [];
  const toggle = (option: string, event: Event): void => {
    const others = chosen.filter((other) => other !== option);
    edit((event.target as VscodeCheckbox).checked ? [...others, option] : others);
  };
  return html`
    <fieldset class="field" data-kind="choices">
      <legend>${filter.label}</legend>
      <div class="choices">
        ${filter.options.map(
          (option) =>
            html`<vscode-checkbox
              label=${cleanText(option)}
              .checked=${chosen.includes(option)}
              @change=${(event: Event) => toggle(option, event)}
            ></vscode-checkbox>`,
        )}
      </div>
    </fieldset>
  `;
}
