import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { FIXED_LIMITS } from '../../../vocabulary/limits.ts';

const orNull = Type.Union([Type.String(), Type.Null()]);
const ServerSecret = Type.Object({
  /** Address of the sync server, without credentials or trailing slash. */
  server: Type.String(),
  /** Either this or `token` is given. */
  password: orNull,
  /** A session token of the server, for servers without passwords. */
  token: orNull,
  /** For a budget with end-to-end encryption. */
  encryptionPassword: orNull,
});

/** The sync server of a destination and its credentials; as JSON, the grant that is stored sealed. */
export type ServerSecret = Static<typeof ServerSecret>;

/** The user name that marks the password as a session token. */
const TOKEN_USER = 'token';
const ENCRYPTION_PASSWORD = 'encryption_password';
/** What a header may contain. */
const HEADER_TEXT = /^[\x21-\x7e]+$/;
const FORM = 'https://:password@budget.example.org';

/**
 * Reads `https://:password@host`, with `token:` before a session token and `?encryption_password=` for an encrypted
 * budget. The reason for a refusal is a sentence that repeats nothing of the text.
 */
export function parseServerSecret(text: string): ServerSecret | { readonly refusal: string } {
  if (text.length > FIXED_LIMITS.url_characters) {
    return { refusal: `The secret is longer than ${FIXED_LIMITS.url_characters} characters.` };
  }
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    return {
      refusal: `The secret must be the server's address with its password, as in ${FORM}; characters such as # / ? @ in the password are percent-encoded.`,
    };
  }
  const user = decoded(url.username);
  const word = decoded(url.password);
  if (user === null || word === null) {
    return { refusal: 'The password in the secret is not percent-encoded correctly: write % as %25.' };
  }
  if (user !== '' && user !== TOKEN_USER) {
    return { refusal: `Actual has no user names in a password sign-in: leave it empty, as in ${FORM}.` };
  }
  if (word === '') return { refusal: `The secret has no password: add it, as in ${FORM}.` };
  if (user === TOKEN_USER && !HEADER_TEXT.test(word)) {
    return { refusal: 'The session token in the secret has characters that no token has: copy it again.' };
  }
  const stray = [...url.searchParams.keys()].some((name) => name !== ENCRYPTION_PASSWORD);
  if (stray || url.hash !== '') {
    return {
      refusal: `The secret may have no parameter but ${ENCRYPTION_PASSWORD}; characters such as # and ? in a password are percent-encoded.`,
    };
  }
  return {
    server: url.origin + url.pathname.replace(/\/+$/, ''),
    password: user === TOKEN_USER ? null : word,
    token: user === TOKEN_USER ? word : null,
    encryptionPassword: url.searchParams.get(ENCRYPTION_PASSWORD),
  };
}

export function writeServerSecret(secret: ServerSecret): string {
  return JSON.stringify(secret);
}

/** @throws TypeError for text that is not from `writeServerSecret`; it does not repeat the text */
export function readServerSecret(text: string): ServerSecret {
  const value = parsed(text);
  if (!Value.Check(ServerSecret, value)) throw new TypeError('a grant of Actual is not readable');
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
