import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { alertKinds } from '../../src/account/alerts/alerts.ts';
import { settings } from '../../src/host/contributions.ts';
import { RiskAssessment } from '../../src/host/settings/riskAssessment.ts';
import {
  settingRules,
  settingValue,
  type ValidatedKey,
} from '../../src/host/settings/settingValues.ts';
import { eventually } from '../support/eventually.ts';
import { extensionUnderTest } from '../support/extensionUnderTest.ts';
import { scriptedMessages } from '../support/scriptedMessages.ts';

/** A setting, values that are invalid, what is used instead, and the warning. */
type Invalid = readonly [key: string, values: readonly unknown[], used: unknown, warning: string];
const invalid: readonly Invalid[] = [
  [
    'marginDesk.http',
    ['carrier-pigeon', 7],
    'vscode',
    'The setting marginDesk.http must be one of vscode, node-fetch. Using vscode.',
  ],
  [
    'marginDesk.weightShare',
    [0, 50, '0.2'],
    0.5,
    'The setting marginDesk.weightShare must be a number above 0 and at most 1. Using 0.5.',
  ],
  [
    'marginDesk.statusBarAlignment',
    ['centre'],
    'right',
    'The setting marginDesk.statusBarAlignment must be one of left, right, hidden. Using right.',
  ],
  [
    'marginDesk.confirmByTyping',
    ['true'],
    false,
    'The setting marginDesk.confirmByTyping must be true or false. Using false.',
  ],
  [
    'marginDesk.hideZeroAssets',
    [1],
    false,
    'The setting marginDesk.hideZeroAssets must be true or false. Using false.',
  ],
  ...alertKinds.map((kind): Invalid => [
    `marginDesk.alerts.${kind}`,
    ['false', 0],
    true,
    `The setting marginDesk.alerts.${kind} must be true or false. Using true.`,
  ]),
  [
    'marginDesk.alerts.equityFallPercent',
    [0.09, 100.5, '10'],
    10,
    'The setting marginDesk.alerts.equityFallPercent must be a number from 0.1 to 100. Using 10.',
  ],
  [
    'marginDesk.pollSeconds.focused',
    [4, 601, '15'],
    15,
    'The setting marginDesk.pollSeconds.focused must be a number from 5 to 600. Using 15.',
  ],
  [
    'marginDesk.pollSeconds.unfocused',
    [4, 601, '60'],
    60,
    'The setting marginDesk.pollSeconds.unfocused must be a number from 5 to 600. Using 60.',
  ],
  [
    'marginDesk.defaultProfile',
    [7, true],
    '',
    'The setting marginDesk.defaultProfile must be the name of a profile. Using none.',
  ],
  [
    'marginDesk.timeZone',
    ['Mars/Olympus'],
    'local',
    'The setting marginDesk.timeZone must be local, UTC or a zone such as Europe/Berlin. Using local.',
  ],
  ...(
    [
      ['marginDesk.criticalPercent', [11, 0, '5']],
      ['marginDesk.nearPercent', [4, 101, '10']],
    ] as const
  ).map(([key, values]): Invalid => [
    key,
    values,
    { nearPercent: 10, criticalPercent: 5 },
    'The settings marginDesk.criticalPercent and marginDesk.nearPercent must be above 0 and at most 100, and the first must not exceed the second. Using 5 and 10.',
  ]),
];

describe('an invalid setting', () => {
  const messages = scriptedMessages();
  const shown = () => messages.shown.map(({ text }) => text);
  const write = (key: string, value: unknown) =>
    vscode.workspace.getConfiguration().update(key, value, vscode.ConfigurationTarget.Global);

  /** An unrelated setting. */
  const another = (key: string) =>
    `marginDesk.pollSeconds.${key.endsWith('.unfocused') ? 'focused' : 'unfocused'}`;

  before(() => extensionUnderTest());

  it('is reported for every setting except the profiles, which are reported one by one', () => {
    const reported = invalid.map(([key]) => key);
    const all = Object.keys(settings).filter((key) => key !== 'marginDesk.profiles');
    assert.deepEqual(reported.sort(), all.sort());
  });

  for (const [key, values, used, warning] of invalid)
    it(`is reported for ${key} once for each value, and the default is used`, async () => {
      try {
        for (const [index, value] of values.entries()) {
          messages.shown.length = 0;
          await write(key, value);
          await eventually('the warning', () => shown().length);
          await write(another(key), 61 + index);
          assert.deepEqual(shown(), [warning]);
          assert.deepEqual(usedValue(key), used);
        }
      } finally {
        await write(key, undefined);
        await write(another(key), undefined);
      }
    });
});

function usedValue(key: string): unknown {
  if (key in settingRules) return settingValue(key as ValidatedKey);
  const risk = new RiskAssessment();
  risk.dispose();
  return risk.limits;
}
