import { l10n } from 'vscode';
import { environmentLabel, type Profile } from '../../account/session/profile.ts';
import { cleanText, escapeInvisible } from '../../base/cleanText.ts';
import type { DocumentAccount } from '../../protocol/document.ts';

/** The account that a page is about. The practice exchange has neither an environment nor an address. */
export function pageAccount(
  profile: Pick<Profile, 'name' | 'environment'>,
  origin: string,
  remark: string | null = null,
): DocumentAccount {
  const isPractice = profile.environment === 'practice';
  return {
    environment: isPractice ? null : environmentLabel(profile),
    profile: cleanText(escapeInvisible(profile.name)),
    origin: isPractice ? l10n.t('simulated exchange, no real money') : cleanText(origin),
    remark,
  };
}

/** The same in one line, for a copy. */
export function pageAccountText({ environment, profile, origin }: DocumentAccount): string {
  return [...(environment === null ? [] : [environment]), profile, origin].join(' · ');
}
