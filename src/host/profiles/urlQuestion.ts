import { l10n } from 'vscode';
import { SentenceError } from '../../base/sentenceError.ts';
import { parseBaseUrl } from '../../exchange/baseUrl.ts';
import type { Question } from './askInTurn.ts';

/** Asks where the exchange is. */
export function urlQuestion(title: string, value = ''): Question<'baseUrl'> {
  return {
    name: 'baseUrl',
    title: `${title}: ${l10n.t('Base URL')}`,
    prompt: l10n.t('Where the exchange’s operations live, without /api/v1.'),
    placeholder: 'https://host/prefix',
    value,
    check: baseUrlProblem,
  };
}

function baseUrlProblem(text: string): string | undefined {
  try {
    parseBaseUrl(text);
    return undefined;
  } catch (error) {
    if (error instanceof SentenceError) return error.message;
    throw error;
  }
}
