import { cleanText, withoutMarkup } from '../base/cleanText.ts';
import type { Phrase } from '../base/phrase.ts';
import { scrubberOf, type Scrub } from './auth/scrub.ts';
import type { Credentials } from './auth/scheme.ts';
import { ExchangeError, type Failure } from './errors.ts';

const longestWords = 300;
const longestCode = 60;
const longestValue = 200;

/** Nobody is told more than a few hundred characters; what is read of a text has an end as well. */
const mostRead = 16_384;
/** No form of a credential and no signature is longer, but for a private key, which is known by its lines. */
const longestSecret = 4096;

/**
 * Makes what a server says fit to be told: no form of the credentials, no markup, nothing invisible,
 * then cut.
 */
export class Teller {
  private readonly scrub: Scrub;

  constructor(credentials: Credentials) {
    this.scrub = scrubberOf(credentials);
  }

  text(text: string, maxLength = longestWords): string {
    const withoutSecrets = this.scrub(text.slice(0, mostRead));
    // What was cut off may have been the other half of a secret that still stands at the end.
    const whole = text.length > mostRead ? withoutSecrets.slice(0, -longestSecret) : withoutSecrets;
    // Once more without markup, which may have parted a secret, or been a part of one.
    return cleanText(this.scrub(withoutMarkup(whole)), maxLength);
  }

  /** Words whose values are a server's; the text itself is ours. */
  phrase({ text, values }: Phrase): Phrase {
    const told = values.map((value) => {
      if (typeof value === 'string') return this.text(value, longestValue);
      return typeof value === 'object' ? this.phrase(value) : value;
    });
    return { text, values: told };
  }

  /**
   * A failure without a trace of the credentials. It keeps no cause: those of a fetch hold the URL
   * with its signature, or the header that could not be sent.
   */
  error(failure: Failure): ExchangeError {
    const { serverWords, serverCode, detail } = failure;
    return new ExchangeError({
      ...failure,
      ...(serverWords === undefined ? {} : { serverWords: this.text(serverWords) }),
      ...(serverCode === undefined ? {} : { serverCode: this.text(serverCode, longestCode) }),
      ...(detail === undefined ? {} : { detail: this.detail(detail) }),
    });
  }

  private detail(detail: string | Phrase): string | Phrase {
    return typeof detail === 'string' ? this.text(detail) : this.phrase(detail);
  }
}
