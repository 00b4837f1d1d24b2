import type { Mutant } from './mutant.ts';

/** A promise of README, word for word, and a fault that breaks it. */
export type PromisedBehaviour = { readonly promise: string; readonly mutant: Mutant };

/** At least one for each sentence of README's promises. */
export const promises: readonly PromisedBehaviour[] = [
  {
    promise:
      'Amounts, prices and ids of the exchange keep every digit in details, copies and CSV files.',
    mutant: {
      fault: 'Numbers of an answer pass through a float.',
      file: 'base/exactJson.ts',
      from: 'new JsonNumber(value.slice(mark.length))',
      to: 'new JsonNumber(String(Number(value.slice(mark.length))))',
      killedBy: 'exchange/exactness.test.ts',
    },
  },
  {
    promise: 'Sums are exact decimals.',
    mutant: {
      fault: 'A sum is computed with floats.',
      file: 'base/decimal.ts',
      from: 'return textOf(texts.map(amountOf).reduce(added, zeroAmount));',
      to: 'return String(texts.reduce((total, text) => total + Number(text), 0));',
      killedBy: 'unit/base/decimal.test.ts',
    },
  },
  {
    promise: 'A short form of a figure is cut, never rounded.',
    mutant: {
      fault: 'A figure in thousands is rounded.',
      file: 'base/decimal.ts',
      from: 'scaled.round(Math.max(0, 2 - scaled.e), Big.roundDown)',
      to: 'scaled.round(Math.max(0, 2 - scaled.e), Big.roundHalfUp)',
      killedBy: 'unit/base/display.test.ts',
    },
  },
  {
    promise:
      'A press of _cancel all_ that you confirm sends at most one request, which is never sent twice.',
    mutant: {
      fault: 'The DELETE is sent like a read, with retries.',
      file: 'exchange/client.ts',
      from: "return this.requests.write({ operation: 'cancelAll', decoder: answers.cancelAll }, room);",
      to: "return this.requests.read({ operation: 'cancelAll' as never, decoder: answers.cancelAll }, { priority: 'cancel' });",
      killedBy: 'exchange/retry.test.ts',
    },
  },
  {
    promise: 'A read-only profile sends none.',
    mutant: {
      fault: 'For a read-only profile, only a POST counts as a write.',
      file: 'exchange/http/requestWriter.ts',
      from: "operations[name].method !== 'GET'",
      to: "(operations[name].method as string) === 'POST'",
      killedBy: 'exchange/authentication.test.ts',
    },
  },
  {
    promise: 'If the outcome cannot be known, the report says so.',
    mutant: {
      fault: 'A 409 to a cancel-all counts as a refusal.',
      file: 'account/cancelAll/cancelOutcome.ts',
      from: '[408, 409, 421, 425, 429, 499]',
      to: '[408, 421, 425, 429, 499]',
      killedBy: 'unit/habits/cancelAll.test.ts',
    },
  },
  {
    promise: 'A read is tried at most three times, and each attempt counts against the limit.',
    mutant: {
      fault: 'A read is tried a fourth time.',
      file: 'exchange/http/retry.ts',
      from: 'const maxAttempts = 3;',
      to: 'const maxAttempts = 4;',
      killedBy: 'exchange/retry.test.ts',
    },
  },
  {
    promise: 'A read is tried at most three times, and each attempt counts against the limit.',
    mutant: {
      fault: 'An attempt whose connection was cut costs no weight.',
      file: 'exchange/http/requests.ts',
      from: "return { kind: sent === 'no' ? 'unsent' : 'unanswered' };",
      to: "return { kind: 'unsent' };",
      killedBy: 'exchange/retry.test.ts',
    },
  },
  {
    promise: 'Signed requests carry the exchange’s time, as its answers tell it.',
    mutant: {
      fault: 'Requests are signed with the time of this machine.',
      file: 'exchange/http/serverClock.ts',
      from: 'return this.clock.now() + this.offsetMs;',
      to: 'return this.clock.now();',
      killedBy: 'exchange/clock.test.ts',
    },
  },
  {
    promise: 'Credentials are kept only in VS Code’s secret storage.',
    mutant: {
      fault: 'The list of profiles with credentials has the credentials in place of the name.',
      file: 'host/profiles/credentialStore.ts',
      from: '[...without(names, name), name]',
      to: '[...without(names, name), text]',
      killedBy: 'unit/host/profiles/credentialStore.test.ts',
    },
  },
  {
    promise: 'They are sent only to the origin that you entered them for.',
    mutant: {
      fault: 'Credentials are used for another origin that begins with the same text.',
      file: 'host/profiles/credentials.ts',
      from: 'if (stored.origin !== originOf(profile))',
      to: 'if (!originOf(profile).startsWith(stored.origin))',
      killedBy: 'unit/host/profiles/credentials.test.ts',
    },
  },
  {
    promise: 'All windows together keep to your share of the exchange’s limit.',
    mutant: {
      fault: 'A window reads the count that all windows share only once.',
      file: 'exchange/rateLimit/rateLimitFile.ts',
      from: 'if (text === this.lastText) return this.lastState;',
      to: "if ((this.lastText ?? '') !== '') return this.lastState;",
      killedBy: 'unit/exchange/rateLimit/rateLimitFile.test.ts',
    },
  },
  {
    promise: 'All windows together keep to your share of the exchange’s limit.',
    mutant: {
      fault: 'The share of a limit is rounded up.',
      file: 'exchange/rateLimit/admission.ts',
      from: 'Math.max(1, Math.floor(weight * share))',
      to: 'Math.max(1, Math.ceil(weight * share))',
      killedBy: 'unit/exchange/rateLimit/rateLimiter.test.ts',
    },
  },
  {
    promise: 'Only the request of _cancel all_ may use the rest, and never more than the limit.',
    mutant: {
      fault: 'The reads of a cancel-all may use the limit beyond the share too.',
      file: 'exchange/rateLimit/admission.ts',
      from: "return need.operation === 'cancelAll' ? limit.weight : ownShare(limit, share);",
      to: "return need.priority === 'cancel' ? limit.weight : ownShare(limit, share);",
      killedBy: 'unit/exchange/rateLimit/rateLimiter.test.ts',
    },
  },
  {
    promise: 'Stale figures carry their age.',
    mutant: {
      fault: 'Stale figures have no age in the status bar.',
      file: 'host/status/statusItem.ts',
      from: "return [t('{0} old', ageText(staleAgeMs, display))];",
      to: 'return [];',
      killedBy: 'unit/host/status/statusText.test.ts',
    },
  },
  {
    promise: 'An export says `complete` only if the exchange’s answers prove it.',
    mutant: {
      fault: 'A count excuses one row that is missing.',
      file: 'exchange/history/walk/rules.ts',
      from: 'count <= countOf(part)',
      to: 'count <= countOf(part) + 1',
      killedBy: 'unit/exchange/history/walk/walk.test.ts',
    },
  },
  {
    promise:
      'The history of your account is stored only after you agree, in a file on this machine.',
    mutant: {
      fault: 'Opening an account starts a ledger for it, without a question.',
      file: 'host/ledger/profileLedgers.ts',
      from: "else if (account.profile.environment === 'practice')",
      to: 'else if (!link)',
      killedBy: 'host/ledger.test.ts',
    },
  },
  {
    promise: 'The ledger says which periods are complete.',
    mutant: {
      fault: 'An older read of a period counts in place of a newer one.',
      file: 'ledger/coverage/coverageParts.ts',
      from: 'toSorted((one, other) => other.asOf - one.asOf)',
      to: 'toSorted((one, other) => one.asOf - other.asOf)',
      killedBy: 'unit/ledger/coverage/coverageParts.test.ts',
    },
  },
  {
    promise: 'Settings of a workspace are ignored, in trusted folders too.',
    mutant: {
      fault: 'The value of a workspace comes before the user’s.',
      file: 'host/settings/userSetting.ts',
      from: 'inspected?.globalValue ?? settings[key]',
      to: 'inspected?.workspaceValue ?? inspected?.globalValue ?? settings[key]',
      killedBy: 'unit/host/settings/settingValues.test.ts',
    },
  },
  {
    promise: 'Text from a server never becomes markup, an icon or a command.',
    mutant: {
      fault: 'A message makes a link of a server’s text.',
      file: 'host/text/messageText.ts',
      from: "return cleanText(text, maxLength).replaceAll('](', '] (');",
      to: 'return cleanText(text, maxLength);',
      killedBy: 'unit/host/text/hostileText.test.ts',
    },
  },
  {
    promise: 'Text from a server never becomes markup, an icon or a command.',
    mutant: {
      fault: 'A symbol draws an icon in the status bar.',
      file: 'host/status/statusItem.ts',
      from: 'const symbol = withoutIcons(cleanText(danger.position.symbol, 20));',
      to: 'const symbol = cleanText(danger.position.symbol, 20);',
      killedBy: 'unit/host/status/statusText.test.ts',
    },
  },
  {
    promise:
      'The link of a transaction opens only if it is `https:`, and only after you have seen its host.',
    mutant: {
      fault: 'A link of any protocol but javascript: opens.',
      file: 'host/tables/panel.ts',
      from: "if (url?.protocol !== 'https:')",
      to: "if (!url || url.protocol === 'javascript:')",
      killedBy: 'unit/host/tables/links.test.ts',
    },
  },
  {
    promise:
      'The link of a transaction opens only if it is `https:`, and only after you have seen its host.',
    mutant: {
      fault: 'A link opens although its question was closed.',
      file: 'host/tables/panel.ts',
      from: "if (await confirm(question, href, t('Open Link')))",
      to: "if ((await confirm(question, href, t('Open Link'))) || host !== '')",
      killedBy: 'host/panels.test.ts',
    },
  },
  {
    promise: 'There is no telemetry.',
    mutant: {
      fault: 'What happens is reported to a server of ours.',
      file: 'host/shared/log.ts',
      from: 'this.channel.info(event);',
      to: 'this.channel.info(event);\n    void fetch(`https://telemetry.example/?event=${encodeURIComponent(event)}`);',
      killedBy: 'unit/layering.test.ts',
    },
  },
  {
    promise: 'Requests go only to the exchange of the open profile, or of one that you test.',
    mutant: {
      fault: 'A redirect is followed to another host.',
      file: 'exchange/http/requests.ts',
      from: "redirect: 'manual'",
      to: "redirect: 'follow' as 'manual'",
      killedBy: 'exchange/faults.test.ts',
    },
  },
  {
    promise: 'Nothing else leaves your machine, unless you let an agent read an account.',
    mutant: {
      fault: 'An agent may name any account.',
      file: 'agents/service.ts',
      from: 'find((each) => each.account === account)',
      to: 'find(() => true)',
      killedBy: 'unit/agents/grants.test.ts',
    },
  },
];
