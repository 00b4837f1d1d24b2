import { digitSettings } from '../../base/display.ts';
import { isTimeZone } from '../../base/timeZone.ts';
import { settings, settingRanges } from '../shared/contributions.ts';
import { t } from '../shared/translate.ts';
import { userSetting, type SettingKey } from './userSetting.ts';

type Rule<Value> = {
  accepts(value: unknown): value is Value;
  /** The message about an invalid value. */
  warning(key: ValidatedKey): string;
};

const fetcherNames = ['vscode', 'node-fetch'] as const;
const statusBarAlignments = ['left', 'right', 'hidden'] as const;

/** Profiles are validated one by one where they are read, and the two risk percentages together. */
type ValidatedElsewhere =
  | 'marginDesk.profiles'
  | 'marginDesk.nearPercent'
  | 'marginDesk.criticalPercent';

/** The valid values of each setting; for anything else the default is used. */
export const settingRules = {
  'marginDesk.defaultProfile': profileNameRule(),
  'marginDesk.http': enumRule(fetcherNames),
  'marginDesk.weightShare': shareRule(),
  'marginDesk.confirmByTyping': booleanRule(),
  'marginDesk.ledger.keepCurrent': booleanRule(),
  'marginDesk.ledger.linkIds': booleanRule(),
  'marginDesk.timeZone': timeZoneRule(),
  'marginDesk.digits': enumRule(digitSettings),
  'marginDesk.pollSeconds.focused': rangeRule(...settingRanges['marginDesk.pollSeconds.focused']),
  'marginDesk.pollSeconds.unfocused': rangeRule(
    ...settingRanges['marginDesk.pollSeconds.unfocused'],
  ),
  'marginDesk.alerts.positions': booleanRule(),
  'marginDesk.alerts.liquidations': booleanRule(),
  'marginDesk.alerts.equity': booleanRule(),
  'marginDesk.alerts.equityFallPercent': rangeRule(
    ...settingRanges['marginDesk.alerts.equityFallPercent'],
  ),
  'marginDesk.alerts.connection': booleanRule(),
  'marginDesk.alerts.reconciliation': booleanRule(),
  'marginDesk.statusBarAlignment': enumRule(statusBarAlignments),
  'marginDesk.hideZeroAssets': booleanRule(),
  'marginDesk.agents': booleanRule(),
} satisfies Readonly<Record<Exclude<SettingKey, ValidatedElsewhere>, unknown>>;
export type ValidatedKey = keyof typeof settingRules;
type AcceptedValue<Key extends ValidatedKey> =
  (typeof settingRules)[Key] extends Rule<infer Value> ? Value : never;

/** The user's value if it is valid, else the default. */
export function settingValue<Key extends ValidatedKey>(key: Key): AcceptedValue<Key> {
  return (isValidSetting(key) ? userSetting(key) : settings[key]) as AcceptedValue<Key>;
}

export function isValidSetting(key: ValidatedKey): boolean {
  return settingRules[key].accepts(userSetting(key));
}

function booleanRule(): Rule<boolean> {
  return {
    accepts: (value) => typeof value === 'boolean',
    warning: (key) =>
      t('The setting {0} must be true or false. Using {1}.', key, String(settings[key])),
  };
}

function rangeRule(min: number, max: number): Rule<number> {
  return {
    accepts: (value): value is number => typeof value === 'number' && value >= min && value <= max,
    warning: (key) =>
      t(
        'The setting {0} must be a number from {1} to {2}. Using {3}.',
        key,
        min,
        max,
        String(settings[key]),
      ),
  };
}

/** The share of each rate limit that Margin Desk may use. */
function shareRule(): Rule<number> {
  return {
    accepts: (value): value is number => typeof value === 'number' && value > 0 && value <= 1,
    warning: (key) =>
      t(
        'The setting {0} must be a number above 0 and at most 1. Using {1}.',
        key,
        String(settings[key]),
      ),
  };
}

function enumRule<Value extends string>(values: readonly Value[]): Rule<Value> {
  return {
    accepts: (value): value is Value => values.some((one) => one === value),
    warning: (key) =>
      t(
        'The setting {0} must be one of {1}. Using {2}.',
        key,
        values.join(', '),
        String(settings[key]),
      ),
  };
}

/** `local`, `UTC` or an IANA name. */
function timeZoneRule(): Rule<string> {
  return {
    accepts: (value): value is string =>
      value === 'local' || (typeof value === 'string' && isTimeZone(value)),
    warning: () =>
      t(
        'The setting marginDesk.timeZone must be local, UTC or a zone such as Europe/Berlin. Using local.',
      ),
  };
}

/** Any text: an unknown profile is reported when it is opened. */
function profileNameRule(): Rule<string> {
  return {
    accepts: (value) => typeof value === 'string',
    warning: (key) => t('The setting {0} must be the name of a profile. Using none.', key),
  };
}
