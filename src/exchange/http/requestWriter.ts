import { phrase, type Phrase } from '../../base/phrase.ts';
import { credentialsProblem, type Credentials } from '../auth/credentials.ts';
import { sendsTimestamp, schemeProblem } from '../auth/templates.ts';
import { presetScheme, type AuthScheme } from '../auth/scheme.ts';
import { createSigner, type SignRequest } from '../auth/signRequest.ts';
import type { QueryPairs } from '../auth/signRequest.ts';
import { ExchangeError } from '../exchangeError.ts';
import { defaultSignedOperations, operations, type OperationName } from '../../api/operations.ts';

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

type PreparedRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
};

/** Writes the HTTP request of an operation, and signs it if the operation is signed. */
export class RequestWriter {
  private readonly options: RequestWriterOptions;
  /** Why nothing can be signed, if so. */
  private readonly signingProblem: Phrase | undefined;
  private readonly sign: SignRequest;
  private readonly unsigned: SignRequest;

  constructor(options: RequestWriterOptions) {
    const { auth, credentials } = options;
    this.options = options;
    this.signingProblem = schemeProblem(auth) ?? credentialsProblem(auth, credentials);
    this.sign = createSigner(auth, credentials);
    this.unsigned = createSigner(presetScheme('none'), {});
  }

  /** Throws for a write of a read-only profile, and if the request cannot be signed. */
  assertSendable(name: OperationName): void {
    if (this.options.readOnly && operations[name].method !== 'GET')
      throw notSent(
        name,
        phrase('the profile is read-only; “Margin Desk: Edit Profile…” changes that'),
      );
    if (this.signingProblem !== undefined && this.isSigned(name))
      throw notSent(name, this.signingProblem);
  }

  /** Whether the operation's request carries the time. */
  sendsTimestamp(name: OperationName): boolean {
    return this.isSigned(name) && sendsTimestamp(this.options.auth);
  }

  /** Throws ExchangeError if the credentials cannot sign; without a cause, which could quote them. */
  write(name: OperationName, pairs: QueryPairs, nowMs: number): PreparedRequest {
    const { method, path } = operations[name];
    const url = `${this.options.baseUrl}${path}`;
    const sign = this.isSigned(name) ? this.sign : this.unsigned;
    try {
      const signed = sign({ method, url, pairs }, nowMs);
      const query = signed.query === '' ? '' : `?${signed.query}`;
      const headers = { accept: 'application/json', ...signed.headers };
      return { method, url: `${url}${query}`, headers };
    } catch {
      throw notSent(
        name,
        phrase(
          'it could not be signed with these credentials: set them again, or correct the profile’s auth',
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
