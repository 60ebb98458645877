import { PASSWORD_LEAST_CHARACTERS, PASSWORD_MOST_CHARACTERS } from '../../features/sign-in/passwords.ts';
import { type Html, html } from '../http/html.ts';
import { NEW_PASSWORD } from '../text/passwords.ts';

/** The field for a password that somebody chooses; browsers and password managers propose one. */
export function chosenPassword(label: string): Html {
  return html`<label for="password">${label}</label>
<input id="password" name="password" type="password" autocomplete="new-password" required minlength="${String(PASSWORD_LEAST_CHARACTERS)}" maxlength="${String(PASSWORD_MOST_CHARACTERS)}" aria-describedby="password-hint">
<small id="password-hint">${NEW_PASSWORD.hint(PASSWORD_LEAST_CHARACTERS)}</small>`;
}

/** What was wrong with what was sent, in front of the form that can be sent again. */
export function problem(message: string | null): Html {
  return message === null ? html`` : html`<p role="alert">${message}</p>`;
}
