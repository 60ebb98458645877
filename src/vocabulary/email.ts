/** As many as an address can have (RFC 5321, section 4.5.3.1.3). */
export const EMAIL_MOST_CHARACTERS = 254;

const EMAIL = /^[^\s@\0]{1,64}@[^\s@\0]{1,189}$/;

/** Whether mail might reach it; only mail that is read proves more. */
export function isEmailAddress(text: string): boolean {
  return EMAIL.test(text);
}

/** The form in which two spellings of an address are equal: people write their own in more ways than one. */
export function normalisedEmail(text: string): string {
  return text.trim().normalize('NFC').toLowerCase();
}
