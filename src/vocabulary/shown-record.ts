/**
 * The header in which the web application says which account record a page shows. A person may switch to another in one
 * tab while a second still shows the first, and what is done there must not affect the other one
 * (docs/sign-in.md#sessions).
 */
export const SHOWN_RECORD_HEADER = 'shown-account';

/** The form field in the settings that says the same. */
export const SHOWN_RECORD_FIELD = 'shown_account';
