import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { settings } from '../../src/host/shared/contributions.ts';
import { RiskAssessment } from '../../src/host/settings/riskAssessment.ts';
import { alertKinds } from '../../src/host/settings/settings.ts';
import {
  settingRules,
  settingValue,
  type ValidatedKey,
} from '../../src/host/settings/settingValues.ts';
import { eventually } from '../support/eventually.ts';
import { extensionUnderTest } from '../support/extensionUnderTest.ts';
import { scriptedMessages } from '../support/scriptedMessages.ts';
import { switchAlerts } from '../support/userSetting.ts';

/** A setting, values that are invalid, the rule that they break, and what is used instead. */
type Invalid = readonly [key: string, values: readonly unknown[], rule: string, used: unknown];
const percents = { nearPercent: 10, criticalPercent: 5 };
const percentRule =
  'must be above 0 and at most 100, and the first must not exceed the second. Using 5 and 10.';
const zoneRule = 'must be local, UTC or a zone such as Europe/Berlin. Using local.';
const invalid: readonly Invalid[] = [
  ['criticalPercent', [11, 0, '5'], percentRule, percents],
  ['nearPercent', [4, 101, '10'], percentRule, percents],
  ['http', ['carrier-pigeon', 7], 'must be one of vscode, node-fetch. Using vscode.', 'vscode'],
  ['weightShare', [0, 50, '0.2'], 'must be a number above 0 and at most 1. Using 0.5.', 0.5],
  ['statusBarAlignment', ['centre'], 'must be one of left, right, hidden. Using right.', 'right'],
  ['confirmByTyping', ['true'], 'must be true or false. Using false.', false],
  ['hideZeroAssets', [1], 'must be true or false. Using false.', false],
  ['ledger.keepCurrent', ['false'], 'must be true or false. Using true.', true],
  ['ledger.linkIds', ['true'], 'must be true or false. Using true.', true],
  ['alerts.reconciliation', ['false'], 'must be true or false. Using true.', true],
  [
    ...(['alerts.equityFallPercent', [0.09, 100.5, '10']] as const),
    ...(['must be a number from 0.1 to 100. Using 10.', 10] as const),
  ],
  ['pollSeconds.focused', [4, 601, '15'], 'must be a number from 5 to 600. Using 15.', 15],
  ['pollSeconds.unfocused', [4, 601, '60'], 'must be a number from 5 to 600. Using 60.', 60],
  ['defaultProfile', [7, true], 'must be the name of a profile. Using none.', ''],
  ['digits', ['some'], 'must be one of compact, all. Using compact.', 'compact'],
  ['timeZone', ['Mars/Olympus'], zoneRule, 'local'],
  ...alertKinds.map((kind): Invalid => [
    `alerts.${kind}`,
    ['false', 0],
    'must be true or false. Using true.',
    true,
  ]),
];

function warningOf(key: string, rule: string): string {
  if (rule !== percentRule) return `The setting ${key} ${rule}`;
  return `The settings marginDesk.criticalPercent and marginDesk.nearPercent ${rule}`;
}

describe('an invalid setting', () => {
  const messages = scriptedMessages();
  const shown = () => messages.shown.map(({ text }) => text);
  const write = (key: string, value: unknown) =>
    vscode.workspace.getConfiguration().update(key, value, vscode.ConfigurationTarget.Global);

  before(() => extensionUnderTest());
  after(async () => {
    for (const [name] of invalid) await write(`marginDesk.${name}`, undefined);
    await switchAlerts(false);
  });

  it('is reported for every setting except the profiles, which are reported one by one', () => {
    const reported = invalid.map(([name]) => `marginDesk.${name}`);
    const all = Object.keys(settings).filter((key) => key !== 'marginDesk.profiles');
    assert.deepEqual(reported.sort(), all.sort());
  });

  for (const [name, values, rule, used] of invalid) {
    const key = `marginDesk.${name}`;
    it(`is reported for ${key} once for each value, and the default is used`, async () => {
      messages.shown.length = 0;
      for (const [index, value] of values.entries()) {
        await write(key, value);
        await eventually('the warning', () => shown().length > index);
        assert.deepEqual(usedValue(key), used);
      }
      // It would change what is valid for the other percentage.
      if (name === 'criticalPercent') await write(key, undefined);
      assert.deepEqual(
        shown(),
        values.map(() => warningOf(key, rule)),
      );
    });
  }

  it('is not reported again while another one changes', async () => {
    await write('marginDesk.weightShare', 50);
    await write('marginDesk.statusBarAlignment', undefined);
    messages.shown.length = 0;
    await write('marginDesk.statusBarAlignment', 'top');
    const rule = 'must be one of left, right, hidden. Using right.';
    await eventually('the warning of the other', () => shown().length > 0);
    assert.deepEqual(shown(), [warningOf('marginDesk.statusBarAlignment', rule)]);
  });
});

function usedValue(key: string): unknown {
  if (key in settingRules) return settingValue(key as ValidatedKey);
  const risk = new RiskAssessment();
  risk.dispose();
  return risk.limits;
}
