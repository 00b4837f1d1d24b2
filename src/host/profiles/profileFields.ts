import { environmentLabel, type Profile } from '../../account/session/profile.ts';
import { schemeNames, schemes } from '../../exchange/auth/scheme.ts';
import { parseBaseUrl } from '../../exchange/http/baseUrl.ts';
import type { BoxStep, InputStep } from '../shared/multiStepInput.ts';
import { localized } from '../text/messageText.ts';
import { nameProblem, newNameProblem } from './parseProfile.ts';
import { authToWrite, baseUrlProblem, chosenScheme, schemeLabel } from './profileSchema.ts';
import { findProfile, type RawProfile } from './profileSettings.ts';
import { t } from '../shared/translate.ts';

export type ProfileFieldName = 'name' | 'baseUrl' | 'environment' | 'readOnly' | 'scheme';

/** A field of a profile that a person is asked for, when the profile is added and when it is edited. */
type ProfileField = {
  readonly label: string;
  readonly input: BoxStep;
  /** Its value as the input takes it. */
  readonly valueOf: (profile: Profile) => string;
  /** What is written to the settings for an answer; `written` is what stands there. Nothing for the name. */
  readonly settings: (answer: string | undefined, written?: RawProfile) => RawProfile;
};

/** `name` is that of a profile that is edited, which may stay. */
export function profileFields(name?: string): Readonly<Record<ProfileFieldName, ProfileField>> {
  return {
    name: {
      label: t('Name'),
      input: {
        prompt: name === undefined ? t('The name of the profile') : t('The credentials are kept.'),
        validate: (text) => chosenNameProblem(text, name),
      },
      valueOf: (profile) => profile.name,
      settings: () => ({}),
    },
    baseUrl: {
      label: t('Base URL'),
      input: {
        prompt: t('API base URL, without /api/v1'),
        placeholder: 'https://host/prefix',
        validate: baseUrlProblem,
      },
      valueOf: ({ baseUrl }) => baseUrl,
      settings: (answer = '') => ({ baseUrl: parseBaseUrl(answer) }),
    },
    environment: {
      label: t('Environment'),
      input: {
        placeholder: t('Is there real money in this account?'),
        items: [
          environmentItem('live', t('real money')),
          environmentItem('test', t('test system of an exchange')),
        ],
      },
      valueOf: ({ environment }) => environment,
      settings: (environment) => ({ environment }),
    },
    readOnly: {
      label: t('Access'),
      input: {
        placeholder: t('What may Margin Desk do with this account?'),
        items: [
          {
            value: 'true',
            label: t('Read-only'),
            detail: t('Nothing is ever changed: orders cannot be cancelled.'),
          },
          {
            value: 'false',
            label: t('Allow Cancel All Orders'),
            detail: t('You can cancel all open orders, after a confirmation each time.'),
          },
        ],
      },
      valueOf: ({ readOnly }) => String(readOnly),
      settings: (answer) => ({ readOnly: answer !== 'false' }),
    },
    scheme: {
      label: t('Authentication'),
      input: {
        placeholder: t('Authentication method (see the API documentation of the exchange)'),
        items: schemeNames.map((scheme) => ({
          value: scheme,
          label: schemeLabel(scheme),
          detail: localized(schemes[scheme].detail),
        })),
      },
      valueOf: ({ auth }) => auth.scheme,
      settings: (answer, written) => ({ auth: authToWrite(chosenScheme(answer), written?.auth) }),
    },
  };
}

/** Its value as it stands in a list. */
export function fieldText({ input, valueOf }: ProfileField, profile: Profile): string {
  const value = valueOf(profile);
  const item = 'items' in input ? input.items.find((one) => one.value === value) : undefined;
  return item?.label ?? value;
}

/** The step that asks for a field. `value` is proposed, or preselected. */
export function fieldStep<Name extends string>(
  name: Name,
  title: string,
  { label, input }: ProfileField,
  value?: string,
): InputStep<Name> {
  const proposal = value === undefined ? {} : { value };
  return { name, title: t('{0}: {1}', title, label), ...proposal, ...input };
}

function chosenNameProblem(name: string, currentName: string | undefined): string | undefined {
  if (name === currentName) return nameProblem(name);
  if (findProfile(name)) return t('Another profile has this name. Choose another.');
  return newNameProblem(name);
}

function environmentItem(environment: 'live' | 'test', description: string) {
  return { value: environment, label: environmentLabel({ environment }), description };
}
