import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type WebAuthnCredential,
} from '@simplewebauthn/server';
import type { Passkey } from '../../storage/passkeys.ts';
import { isStoreUnavailable } from '../../vocabulary/store-unavailable.ts';
import type { AuthenticationResponse, RegistrationResponse, RelyingParty } from './passkey-ceremonies.ts';

const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;
/** EdDSA, ES256 and RS256: every authenticator supports one of them, and Node warns about further ones. */
const ALGORITHMS = [-8, -7, -257];

/** Uses up the challenge; whether it is valid for this response. */
type TakeChallenge = (challenge: string) => Promise<boolean>;

/** A person who registers a passkey. */
interface Registrant {
  readonly email: string;
  /** The bytes by which their authenticator identifies them. */
  readonly handle: Uint8Array<ArrayBuffer>;
  readonly known: readonly Passkey[];
}

/** What a browser needs to create a passkey. */
export function creationOptions(
  { id: rpID }: RelyingParty,
  { email, handle, known }: Registrant,
  challenge: Uint8Array<ArrayBuffer>,
  timeout: number,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  return generateRegistrationOptions({
    rpName: 'Tributary',
    rpID,
    userName: email,
    userDisplayName: email,
    userID: handle,
    challenge,
    timeout,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: known.map((one) => ({
      id: one.credential_id,
      transports: TRANSPORTS.filter((transport) => one.transports.includes(transport)),
    })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

/** What a browser needs to use a passkey of any person. */
export function requestOptions(
  { id: rpID }: RelyingParty,
  challenge: Uint8Array<ArrayBuffer>,
  timeout: number,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  return generateAuthenticationOptions({ rpID, challenge, timeout, userVerification: 'required' });
}

/** The new credential, or null if the response proves nothing. */
export async function madeCredential(
  { id, origin }: RelyingParty,
  response: RegistrationResponse,
  expectedChallenge: TakeChallenge,
): Promise<(WebAuthnCredential & { readonly transports: string[] }) | null> {
  const { transports = [], ...answered } = response.response;
  const verified = await proved(
    verifyRegistrationResponse({
      response: { ...response, clientExtensionResults: {}, response: answered },
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    }),
  );
  if (verified?.verified !== true) return null;
  const { credential } = verified.registrationInfo;
  return { ...credential, transports: TRANSPORTS.filter((transport) => transports.includes(transport)) };
}

/**
 * The authenticator's signature counter, which grows with each use if the authenticator counts at all; null for no
 * proof.
 */
export async function signedCounter(
  { id, origin }: RelyingParty,
  passkey: Passkey,
  response: AuthenticationResponse,
  expectedChallenge: TakeChallenge,
): Promise<number | null> {
  const verified = await proved(
    verifyAuthenticationResponse({
      response: { ...response, clientExtensionResults: {} },
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: id,
      credential: {
        id: passkey.credential_id,
        publicKey: Uint8Array.from(passkey.public_key),
        counter: passkey.counter,
      },
      requireUserVerification: true,
    }),
  );
  return verified?.verified === true ? verified.authenticationInfo.newCounter : null;
}

/**
 * Null if the library rejects the response; it raises for any invalid input. An unreachable database is still raised.
 */
async function proved<T>(verification: Promise<T>): Promise<T | null> {
  try {
    return await verification;
  } catch (error) {
    if (isStoreUnavailable(error)) throw error;
    return null;
  }
}
