import { l10n } from 'vscode';
import { SentenceError } from '../../base/sentenceError.ts';
import { parseBaseUrl } from '../../exchange/baseUrl.ts';
import { inWords } from '../words.ts';
import type { Question } from './askInTurn.ts';

/** Asks where the exchange is. */
export function urlQuestion(title: string, value = ''): Question<'baseUrl'> {
  return {
    name: 'baseUrl',
    title: l10n.t('{0}: Base URL', title),
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
    if (error instanceof SentenceError) return inWords(error.sentence);
    throw error;
  }
}
