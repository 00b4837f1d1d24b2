/** How a request proves who sends it; the interface leaves it open (section 5). A scheme is data. */
export type AuthScheme =
  | { readonly scheme: 'none' }
  | {
      /** HMAC-SHA256 in hex over the encoded query; the signature is the last parameter. */
      readonly scheme: 'hmacQuery';
      readonly keyHeader: string;
      readonly timestampParam: string;
      readonly signatureParam: string;
    };

export const defaultHmacQuery: AuthScheme = {
  scheme: 'hmacQuery',
  keyHeader: 'X-API-KEY',
  timestampParam: 'timestamp',
  signatureParam: 'signature',
};

/** What the person holds; never part of a log, an error or a setting. */
export type Credentials = { readonly apiKey: string; readonly apiSecret: string };
