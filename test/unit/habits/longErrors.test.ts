import assert from 'node:assert/strict';
import { defaultConventions } from '../../../src/exchange/history/apiConventions.ts';
import { failureFromBody, failureFromStatus } from '../../../src/exchange/http/failures.ts';
import { Redactor } from '../../../src/exchange/http/redactor.ts';
import { parseJson } from '../../../src/base/exactJson.ts';
import { testHabits, type Habit } from '../../support/habits.ts';

const credentials = { apiKey: 'MARKED-key-1f3a', apiSecret: 'MARKED-secret-9c2e' };
const redactor = new Redactor(credentials);
const head = (status: number) => ({ status, headers: { get: () => null } });
const { overLimitStatuses } = defaultConventions;

/** Eight megabytes, as long as an answer may be. */
const long = (part: string): string => part.repeat(Math.floor((8 * 1024 * 1024) / part.length));

/** What a person sees of an error body, or of the message in an answer with 200. */
function shownTexts(text: string): (string | undefined)[] {
  const body = parseJson(JSON.stringify({ code: '-1', message: text }));
  const failures = [
    failureFromStatus(head(400), text, overLimitStatuses, 0),
    failureFromBody(head(200), body, 0),
  ];
  return failures.map((failure) => {
    if (!failure) return assert.fail('no failure');
    return redactor.toError({ operation: 'accounts', sent: 'yes', ...failure }).failure.serverWords;
  });
}

/** Of the processor, as tests share the machine. Far above the 50 ms that a step may take: it took half a minute. */
const maxStepMs = 1000;

function longRow(habit: string, part: string): Habit {
  return {
    habit: `8 MB of ${habit}`,
    source: 'attacks on cancel-all',
    sees: 'the start of it at once, without a credential',
    check: () => {
      const text = long(part);
      const before = process.cpuUsage();
      const shown = shownTexts(text);
      assert.ok(process.cpuUsage(before).user / 1000 < maxStepMs);
      for (const words of shown) assert.doesNotMatch(words ?? '', /MARKED|secret/);
      for (const words of shown) assert.ok((words ?? '').length <= 300);
    },
  };
}

const escaped = (text: string): string =>
  encodeURIComponent(encodeURIComponent(text.replaceAll('-', '%2d')));

function cutRow(habit: string, form: string): Habit {
  return {
    habit: `a long error whose cut divides a key ${habit}`,
    source: 'sibling',
    sees: 'no part of the key',
    check: () => {
      for (const end of [16_384, 32_768, 102_401])
        for (const keptLength of [1, 6, form.length - 1]) {
          const filler = '\u200b'.repeat(end - keptLength);
          for (const words of shownTexts(`${filler}${form}${'\u200b'.repeat(200_000)}`))
            assert.doesNotMatch(words ?? '', /[MARKED]|secret|[0-9]/);
        }
    },
  };
}

testHabits('long errors', [
  longRow('escapes', '%252525252541'),
  longRow('escapes in JSON', '\\\\u005cu0041'),
  longRow('keys', `${credentials.apiKey} `),
  longRow('escaped keys', escaped(credentials.apiSecret)),
  longRow('brackets', '[{'),
  longRow('fields', '{"a":'),
  cutRow('as it was sent', credentials.apiSecret),
  cutRow('in escapes', escaped(credentials.apiKey)),
]);
