import { environmentLabel, type Profile } from '../../account/session/profile.ts';
import { cleanText, escapeInvisible } from '../../base/cleanText.ts';
import type { PageAccount } from '../../protocol/documentTable.ts';

/** The account that a page is about, without an environment for the practice exchange: its name says it. */
export function pageAccount(
  profile: Pick<Profile, 'name' | 'environment'>,
  origin: string,
  remark: string | null = null,
): PageAccount {
  return {
    environment: profile.environment === 'practice' ? null : environmentLabel(profile),
    profile: cleanText(escapeInvisible(profile.name)),
    origin: cleanText(origin),
    remark,
  };
}

/** The same in one line, for a copy. */
export function pageAccountText({ environment, profile, origin }: PageAccount): string {
  return [...(environment === null ? [] : [environment]), profile, origin].join(' · ');
}
