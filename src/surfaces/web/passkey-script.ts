import { PASSKEY_PROBLEMS } from '../text/sign-in.ts';

/**
 * What the browser does for a passkey: it asks for options, hands them to the authenticator and sends back its answer.
 * Without passkeys in the browser the buttons stay hidden.
 */
export const PASSKEY_SCRIPT = `'use strict';
for (const part of document.querySelectorAll('[data-passkey]')) {
  const { passkey: verb, options, verify } = part.dataset;
  const parse = verb === 'create' ? 'parseCreationOptionsFromJSON' : 'parseRequestOptionsFromJSON';
  if (typeof window.PublicKeyCredential?.[parse] !== 'function') continue;
  part.hidden = false;
  const message = part.querySelector('[role=status]');
  const ask = async (address, body) => {
    const response = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.error.message);
    return answer;
  };
  part.querySelector('button').addEventListener('click', async () => {
    message.textContent = '';
    try {
      const publicKey = PublicKeyCredential[parse](await ask(options, {}));
      const credential = await navigator.credentials[verb]({ publicKey });
      const name = part.querySelector('input')?.value ?? '';
      const { location } = await ask(verify, { credential: credential.toJSON(), name, next: part.dataset.next });
      window.location.assign(location);
    } catch (error) {
      message.textContent = error.name === 'NotAllowedError' ? ${JSON.stringify(PASSKEY_PROBLEMS.nothingDone)} : error.message;
    }
  });
}
`;
