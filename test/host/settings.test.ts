import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { alertKinds } from '../../src/account/alerts/alerts.ts';
import type { RiskLimits } from '../../src/account/risk.ts';
import { settings } from '../../src/host/contributions.ts';
import { RiskState } from '../../src/host/riskState.ts';
import {
  confirmByTypingSetting,
  defaultProfileSetting,
  hidesZeroAssetsSetting,
  httpSetting,
  statusBarSetting,
  timeZoneSetting,
  weightShareSetting,
} from '../../src/host/settings.ts';
import {
  alertSetting,
  alertSettings,
  equityFallSetting,
  pollSecondsSetting,
} from '../../src/host/watchSettings.ts';
import { eventually } from '../support/eventually.ts';
import { extensionUnderTest } from '../support/extensionUnderTest.ts';
import { scriptedMessages } from '../support/scriptedMessages.ts';

/** A setting with values that it does not take, what counts then, and the sentence that says so. */
type Wrong = readonly [string, readonly unknown[], () => unknown, unknown, string];
const wrong: readonly Wrong[] = [
  [
    'marginDesk.http',
    ['carrier-pigeon', 7],
    httpSetting,
    'vscode',
    'The setting marginDesk.http must be one of vscode, node-fetch: vscode counts.',
  ],
  [
    'marginDesk.weightShare',
    [0, 50, '0.2'],
    weightShareSetting,
    0.5,
    'The setting marginDesk.weightShare must be a number above 0 and at most 1: 0.5 counts.',
  ],
  [
    'marginDesk.statusBarAlignment',
    ['centre'],
    statusBarSetting,
    'right',
    'The setting marginDesk.statusBarAlignment must be one of left, right, hidden: right counts.',
  ],
  [
    'marginDesk.confirmByTyping',
    ['true'],
    confirmByTypingSetting,
    false,
    'The setting marginDesk.confirmByTyping must be true or false: false counts.',
  ],
  [
    'marginDesk.hideZeroAssets',
    [1],
    hidesZeroAssetsSetting,
    false,
    'The setting marginDesk.hideZeroAssets must be true or false: false counts.',
  ],
  ...alertKinds.map((kind): Wrong => [
    alertSettings[kind],
    ['false', 0],
    () => alertSetting(kind),
    true,
    `The setting marginDesk.alerts.${kind} must be true or false: true counts.`,
  ]),
  [
    'marginDesk.alerts.equityFallPercent',
    [0.09, 100.5, '10'],
    equityFallSetting,
    10,
    'The setting marginDesk.alerts.equityFallPercent must be a number from 0.1 to 100: 10 counts.',
  ],
  [
    'marginDesk.pollSeconds.focused',
    [4, 601, '15'],
    () => pollSecondsSetting(true),
    15,
    'The setting marginDesk.pollSeconds.focused must be a number from 5 to 600: 15 counts.',
  ],
  [
    'marginDesk.pollSeconds.unfocused',
    [4, 601, '60'],
    () => pollSecondsSetting(false),
    60,
    'The setting marginDesk.pollSeconds.unfocused must be a number from 5 to 600: 60 counts.',
  ],
  [
    'marginDesk.defaultProfile',
    [7, true],
    defaultProfileSetting,
    '',
    'The setting marginDesk.defaultProfile must be the name of a profile: none counts.',
  ],
  [
    'marginDesk.timeZone',
    ['Mars/Olympus'],
    timeZoneSetting,
    'local',
    'The setting marginDesk.timeZone is neither local, UTC nor a zone such as Europe/Berlin: local counts.',
  ],
  ...(
    [
      ['marginDesk.criticalPercent', [11, 0, '5']],
      ['marginDesk.nearPercent', [4, 101, '10']],
    ] as const
  ).map(([key, values]): Wrong => [
    key,
    values,
    riskLimitsThatCount,
    { nearPercent: 10, criticalPercent: 5 },
    'The settings marginDesk.criticalPercent and marginDesk.nearPercent must be above 0 and at most 100, and the first no more than the second: 5 and 10 count.',
  ]),
];

describe('a setting with a value that it does not take', () => {
  const messages = scriptedMessages();
  const said = () => messages.shown.map(({ text }) => text);
  const write = (key: string, value: unknown) =>
    vscode.workspace.getConfiguration().update(key, value, vscode.ConfigurationTarget.Global);

  /** A setting whose change has nothing to do with this one's value. */
  const another = (key: string) =>
    `marginDesk.pollSeconds.${key.endsWith('.unfocused') ? 'focused' : 'unfocused'}`;

  before(() => extensionUnderTest());

  it('is each of the settings but the profiles, which are told of one by one', () => {
    const told = wrong.map(([key]) => key);
    const all = Object.keys(settings).filter((key) => key !== 'marginDesk.profiles');
    assert.deepEqual([...told].sort(), all.sort());
  });

  for (const [key, values, read, counts, sentence] of wrong)
    it(`is told for ${key}, once a value, and its default counts`, async () => {
      try {
        for (const value of values) {
          messages.shown.length = 0;
          await write(key, value);
          await eventually('the sentence', () => said().length);
          await write(another(key), 61);
          await write(another(key), undefined);
          assert.deepEqual(said(), [sentence]);
          assert.deepEqual(read(), counts);
        }
      } finally {
        await write(key, undefined);
      }
    });
});

function riskLimitsThatCount(): RiskLimits {
  const risk = new RiskState();
  risk.dispose();
  return risk.limits;
}
