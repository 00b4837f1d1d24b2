import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { alertKinds, alertSettingKeys } from '../../../../src/host/settings/settings.ts';
import {
  settingRules,
  settingValue,
  type ValidatedKey,
} from '../../../../src/host/settings/settingValues.ts';
import { settingRanges, settings } from '../../../../src/host/shared/contributions.ts';
import { assertApprovedLines } from '../../../support/approved.ts';

const keys = Object.keys(settingRules) as ValidatedKey[];
const accepts = (key: ValidatedKey, value: unknown): boolean => settingRules[key].accepts(value);
const accepted = (key: ValidatedKey, values: readonly unknown[]): readonly unknown[] =>
  values.filter((value) => accepts(key, value));

describe('the rule of a setting', () => {
  it('accepts the default, and no value of another type', () => {
    for (const key of keys) {
      assert.ok(accepts(key, settings[key]), key);
      assert.deepEqual(accepted(key, [null, undefined, [], {}, Number.NaN]), [], key);
      if (typeof settings[key] !== 'string') assert.ok(!accepts(key, String(settings[key])), key);
    }
  });

  it('accepts a range with both of its ends, and nothing beyond them', () => {
    for (const [key, [min, max]] of Object.entries(settingRanges)) {
      const values = [min - 0.01, min, max, max + 0.01];
      assert.deepEqual(accepted(key as ValidatedKey, values), [min, max], key);
    }
  });

  it('accepts any share of the rate limit, also all of it, but not none', () => {
    const shares = [-1, 0, 0.001, 1, 1.001, 50];
    assert.deepEqual(accepted('marginDesk.weightShare', shares), [0.001, 1]);
  });

  it('accepts only the words that it knows', () => {
    assert.deepEqual(accepted('marginDesk.http', ['node-fetch', 'carrier-pigeon']), ['node-fetch']);
    assert.deepEqual(accepted('marginDesk.digits', ['all', 'some', '']), ['all']);
    assert.deepEqual(accepted('marginDesk.statusBarAlignment', ['hidden', 'top']), ['hidden']);
    const zones = ['UTC', 'Europe/Berlin', 'Mars/Olympus', ''];
    assert.deepEqual(accepted('marginDesk.timeZone', zones), ['UTC', 'Europe/Berlin']);
  });

  it('says what is valid, and what is used in place of anything else', () => {
    assertApprovedLines(
      'settings/warnings',
      keys.map((key) => settingRules[key].warning(key)),
    );
  });
});

describe('the alerts', () => {
  it('have a setting each, and none that of another', () => {
    const own = alertKinds.map((kind) => alertSettingKeys[kind]);
    assert.deepEqual(
      own,
      alertKinds.map((kind) => `marginDesk.alerts.${kind}`),
    );
  });
});

describe('the value of a setting', () => {
  const given = (values: object): void => {
    Object.assign(vscode.workspace, { getConfiguration: () => ({ inspect: () => values }) });
  };
  after(() => Object.assign(vscode.workspace, { getConfiguration: undefined }));

  it('is the user’s, whatever a workspace or a folder says', () => {
    const others = { workspaceValue: 1, workspaceFolderValue: 1, defaultValue: 1 };
    given({ globalValue: 0.25, ...others });
    assert.equal(settingValue('marginDesk.weightShare'), 0.25);
    given(others);
    assert.equal(settingValue('marginDesk.weightShare'), 0.5);
  });

  it('is the default in place of one that is not accepted', () => {
    given({ globalValue: 2 });
    assert.equal(settingValue('marginDesk.weightShare'), 0.5);
  });
});
