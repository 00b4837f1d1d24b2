import { phrase, type Phrase } from '../base/phrase.ts';
import { credentialsProblem } from './auth/credentialCheck.ts';
import { isTimed, schemeProblem } from './auth/recipes.ts';
import { sign } from './auth/sign.ts';
import type { AuthScheme, Credentials } from './auth/scheme.ts';
import { defaultSignedOperations } from './auth/signedOperations.ts';
import type { QueryPairs } from './dialect/dialect.ts';
import { ExchangeError } from './errors.ts';
import { operations, type OperationName } from './operations.ts';

export type RequestWriterOptions = {
  /** As `parseBaseUrl` gives it. */
  readonly baseUrl: string;
  readonly auth: AuthScheme;
  readonly credentials: Credentials;
  /** The operations that are signed; unless given, what the table of operations says. */
  readonly signedOperations?: readonly OperationName[];
  /** Refuses whatever would change something at the exchange. */
  readonly readOnly?: boolean;
};

export type WrittenRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
};

/** Writes the request of an operation as it goes out, signed where it is to be. */
export class RequestWriter {
  private readonly options: RequestWriterOptions;

  constructor(options: RequestWriterOptions) {
    this.options = options;
  }

  /** Throws for what is never sent: a write of a read-only profile, and what cannot be signed as it should be. */
  refuse(name: OperationName): void {
    const { readOnly, credentials } = this.options;
    if (readOnly && operations[name].method !== 'GET')
      throw notSent(name, phrase('the profile is read-only; its setting readOnly allows no write'));
    const scheme = this.schemeFor(name);
    const problem = schemeProblem(scheme) ?? credentialsProblem(scheme, credentials);
    if (problem !== undefined) throw notSent(name, problem);
  }

  /** Whether the operation's request carries the time. */
  isTimed(name: OperationName): boolean {
    return isTimed(this.schemeFor(name));
  }

  /** Throws ExchangeError where the credentials do not go into a signature; without a cause, which may quote them. */
  write(name: OperationName, pairs: QueryPairs, nowMs: number): WrittenRequest {
    const { baseUrl, credentials } = this.options;
    const { method, path } = operations[name];
    const url = `${baseUrl}${path}`;
    try {
      const signed = sign(this.schemeFor(name), credentials, { method, url, pairs }, nowMs);
      const query = signed.query === '' ? '' : `?${signed.query}`;
      const headers = { accept: 'application/json', ...signed.headers };
      return { method, url: `${url}${query}`, headers };
    } catch {
      throw notSent(
        name,
        phrase(
          'it could not be signed with these credentials: set them anew, or correct the profile’s auth',
        ),
      );
    }
  }

  private schemeFor(name: OperationName): AuthScheme {
    const { auth, signedOperations = defaultSignedOperations } = this.options;
    return signedOperations.includes(name) ? auth : { scheme: 'none' };
  }
}

function notSent(operation: OperationName, detail: Phrase): ExchangeError {
  return new ExchangeError({ kind: 'configuration', sent: 'no', operation, detail });
}
