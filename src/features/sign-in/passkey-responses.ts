import { Type } from 'typebox';
import { Value } from 'typebox/value';

const Base64Url = Type.String({ pattern: '^[\\w-]{1,8192}$' });
const outer = {
  id: Base64Url,
  rawId: Base64Url,
  type: Type.Literal('public-key'),
  // Nothing is asked of extensions, so nothing of what they say is read.
  clientExtensionResults: Type.Object({}),
};
const RegistrationResponse = Type.Object({
  ...outer,
  response: Type.Object({
    clientDataJSON: Base64Url,
    attestationObject: Base64Url,
    transports: Type.Optional(Type.Array(Type.String({ maxLength: 20 }), { maxItems: 10 })),
  }),
});
const AuthenticationResponse = Type.Object({
  ...outer,
  response: Type.Object({
    clientDataJSON: Base64Url,
    authenticatorData: Base64Url,
    signature: Base64Url,
    userHandle: Type.Optional(Base64Url),
  }),
});

/** What a browser answers when a passkey was made (WebAuthn Level 3, section 5.1.8, `RegistrationResponseJSON`). */
export type RegistrationResponse = Type.Static<typeof RegistrationResponse>;
/** What a browser answers when a passkey was used (`AuthenticationResponseJSON`). */
export type AuthenticationResponse = Type.Static<typeof AuthenticationResponse>;

export function isRegistrationResponse(value: unknown): value is RegistrationResponse {
  return Value.Check(RegistrationResponse, value);
}

export function isAuthenticationResponse(value: unknown): value is AuthenticationResponse {
  return Value.Check(AuthenticationResponse, value);
}
