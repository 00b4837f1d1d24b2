import { phrase, type Phrase } from '../base/phrase.ts';
import { credentialsProblem } from './auth/credentialCheck.ts';
import { isTimed, schemeProblem } from './auth/recipes.ts';
import { signerOf, type Sign } from './auth/sign.ts';
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
  /** Why nothing can be signed, if so. */
  private readonly problem: Phrase | undefined;
  private readonly sign: Sign;
  private readonly leaveUnsigned: Sign;

  constructor(options: RequestWriterOptions) {
    const { auth, credentials } = options;
    this.options = options;
    this.problem = schemeProblem(auth) ?? credentialsProblem(auth, credentials);
    this.sign = signerOf(auth, credentials);
    this.leaveUnsigned = signerOf({ scheme: 'none' }, {});
  }

  /** Throws for what is never sent: a write of a read-only profile, and what cannot be signed as it should be. */
  refuse(name: OperationName): void {
    if (this.options.readOnly && operations[name].method !== 'GET')
      throw notSent(
        name,
        phrase('the profile is read-only; “Margin Desk: Edit Profile” changes that'),
      );
    if (this.problem !== undefined && this.isSigned(name)) throw notSent(name, this.problem);
  }

  /** Whether the operation's request carries the time. */
  isTimed(name: OperationName): boolean {
    return this.isSigned(name) && isTimed(this.options.auth);
  }

  /** Throws ExchangeError where the credentials do not go into a signature; without a cause, which may quote them. */
  write(name: OperationName, pairs: QueryPairs, nowMs: number): WrittenRequest {
    const { method, path } = operations[name];
    const url = `${this.options.baseUrl}${path}`;
    const sign = this.isSigned(name) ? this.sign : this.leaveUnsigned;
    try {
      const signed = sign({ method, url, pairs }, nowMs);
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

  private isSigned(name: OperationName): boolean {
    const { signedOperations = defaultSignedOperations } = this.options;
    return signedOperations.includes(name);
  }
}

function notSent(operation: OperationName, detail: Phrase): ExchangeError {
  return new ExchangeError({ kind: 'configuration', sent: 'no', operation, detail });
}
