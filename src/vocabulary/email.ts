/** The most characters of an address (RFC 5321, section 4.5.3.1.3). */
export const EMAIL_MOST_CHARACTERS = 254;

const EMAIL = /^[^\s@\0]{1,64}@[^\s@\0]{1,189}$/;

/** The address of the account record of a new sandbox installation, until its first person gives it theirs. */
export const PLACEHOLDER_EMAIL = 'owner@localhost';

/** Whether the address is plausible; only a mail that is read proves more. */
export function isEmailAddress(text: string): boolean {
  return EMAIL.test(text);
}

/** The normalised form of an address, since people spell their own in more ways than one. */
export function normalisedEmail(text: string): string {
  return text.trim().normalize('NFC').toLowerCase();
}

/**
 * `jane.doe@example.org` becomes `j•••@example.org`: enough to recognise one's own address, not enough to learn
 * another's.
 */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return `${[...email].at(0) ?? ''}•••${email.slice(at)}`;
}
