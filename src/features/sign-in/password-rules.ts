import { invalidParameter } from '../../vocabulary/service-error.ts';

/** With ten characters that are not the person's address, guessing at the rate of docs/sign-in.md is hopeless. */
export const PASSWORD_LEAST_CHARACTERS = 10;
/** More would make hashing cost what the length of a request costs. */
export const PASSWORD_MOST_CHARACTERS = 200;

/** Raises `parameter_invalid` for a password that nobody should choose. `email` is in its normalised form. */
export function requireUsablePassword(chosen: string, email: string): void {
  if (chosen.length > PASSWORD_MOST_CHARACTERS) {
    throw invalidParameter(
      'password',
      `The password may have at most ${PASSWORD_MOST_CHARACTERS} characters.`,
    );
  }
  if (
    [...chosen].length < PASSWORD_LEAST_CHARACTERS ||
    new Set(chosen).size < PASSWORD_LEAST_CHARACTERS / 2
  ) {
    throw invalidParameter(
      'password',
      `The password must have at least ${PASSWORD_LEAST_CHARACTERS} characters, and not the same few again and again.`,
    );
  }
  if (chosen.trim().toLowerCase() === email) {
    throw invalidParameter('password', 'The password must not be the e-mail address.');
  }
}
