import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { LinkInvitation } from '../../../src/features/linking/hosted-links.ts';
import type { LinkNotice } from '../../../src/features/linking/link-flow.ts';
import { invitationPage } from '../../../src/surfaces/hosted/link-pages.ts';
import type { Viewer } from '../../../src/surfaces/hosted/viewer.ts';
import { ENTERED_PROBLEMS } from '../../../src/vocabulary/entered-values.ts';
import { rowId } from '../../../src/vocabulary/ids.ts';
import type { LinkWay } from '../../../src/vocabulary/link-terms.ts';
import { LINK_WORDS } from '../../../src/vocabulary/link-words.ts';
import { LINKED_PROVIDERS, type LinkedProvider, PROVIDERS } from '../../../src/vocabulary/provider-kinds.ts';

const CHOSEN = 'Rimu Bank';
const STRANGER: Viewer = { kind: 'stranger', readers: ['m•••@books.test'], more: 0 };
const REQUESTER = {
  record: rowId('account_record', '0199b1f2-0000-7000-8000-000000000001'),
  name: 'Acme Budgets',
  email: 'owner@acme.test',
};

const CREATE = 'https://bridge.example/simplefin/create';

interface Shown {
  readonly more?: Partial<LinkInvitation>;
  readonly viewer?: Viewer;
  readonly notice?: LinkNotice | null;
}

function page(provider: LinkedProvider, { more = {}, viewer = STRANGER, notice = null }: Shown = {}) {
  const invitation: LinkInvitation = {
    status: 'pending',
    provider,
    institution: null,
    direct: LINK_WORDS[provider].page === null,
    entryFrom: LINK_WORDS[provider].entry === null ? null : CREATE,
    terms: null,
    renewal: false,
    requester: REQUESTER,
    expiresAt: Date.parse('2026-11-28T12:00:00Z'),
    timezone: 'Pacific/Auckland',
    openAttempt: null,
    returnTo: null,
    other: null,
    ...more,
  };
  const { title, body } = invitationPage('/link/token', invitation, viewer, notice);
  return `${title}\n${body.text}`;
}

/** Every way in which a provider can be linked: over a page of the vendor, and without one. */
const WAYS = LINKED_PROVIDERS.flatMap((provider) => {
  const { page: over, direct } = LINK_WORDS[provider];
  return [
    ...(over === null ? [] : [{ provider, direct: false, words: over }]),
    ...(direct === null ? [] : [{ provider, direct: true, words: direct }]),
  ];
});

describe('The page before a link', () => {
  for (const { provider, direct, words } of WAYS) {
    const name = direct ? `${provider} without a page of its own` : provider;

    test(`says what is true of ${name}, whatever was chosen and however often it was opened`, () => {
      for (const institution of [null, CHOSEN]) {
        for (const renewal of [false, true]) {
          for (const notice of [null, 'other_browser', 'replaced'] as const) {
            for (const openAttempt of [null, 1]) {
              const shown = page(provider, {
                more: { institution, renewal, openAttempt, direct },
                notice,
              });
              const { recipient, unnamed } = LINK_WORDS[provider];
              const { institution: label } = PROVIDERS[provider].texts;
              assert.ok(shown.includes(`<dt>${label}</dt><dd>${words.chosen(institution)}</dd>`), shown);
              assert.ok(shown.includes(words.next(institution ?? unnamed)));
              assert.ok(shown.includes(recipient.role));
              assert.equal(shown.includes('role="alert"'), notice !== null);
              assert.doesNotMatch(shown, /undefined|null|\[object/);
              if (direct) {
                assert.doesNotMatch(shown, /next page|sign in with|Start again|password|different browser/i);
                continue;
              }
              assert.match(shown, /next page/);
              assert.match(shown, /never sees your password/);
              assert.equal(/Start again at/.test(shown), openAttempt !== null);
            }
          }
        }
      }
    });
  }

  test('says of a bank whose vendor asks for it again where it is to be chosen', () => {
    assert.match(
      page('nz_banking', { more: { institution: CHOSEN } }),
      /Rimu Bank, through Akahu: choose it there/,
    );
    assert.match(page('nz_banking'), /You choose it on the next page, at Akahu/);
    assert.doesNotMatch(page('up_bank'), /You choose/);
  });

  test('has words of its own for every provider, and no other provider’s names', () => {
    const vendors = new Map(
      LINKED_PROVIDERS.map((name) => [name, LINK_WORDS[name].page?.vendor ?? LINK_WORDS[name].unnamed]),
    );
    for (const provider of LINKED_PROVIDERS) {
      const shown = page(provider);
      for (const [other, vendor] of vendors) {
        const named = new RegExp(`\\b${vendor}\\b`).test(shown);
        assert.equal(named, other === provider, `${vendor} on the page of ${provider}`);
      }
    }
  });
});

describe('What is said of a bank before a person signs in there', () => {
  const way = (id: string, accounts: LinkWay['accounts'], method: LinkWay['method'] = null): LinkWay => ({
    id,
    accounts,
    method,
  });
  const app = { name: 'Ahorn<App>', approach: 'decoupled', asksFor: ['User number'] } as const;
  const shown = (ways: readonly LinkWay[], more: Partial<LinkInvitation> = {}) =>
    page('enable_banking', {
      more: { institution: CHOSEN, terms: { country: 'DE', consentDays: 90, ways }, ...more },
    });

  test('is its country and how long a consent lasts, without a choice where there is none', () => {
    const text = shown([way('personal', null)]);
    assert.match(text, /<dt>Country<\/dt><dd>Germany<\/dd>/);
    assert.match(text, /<dt>Consent<\/dt><dd>Ends after 90 days/);
    assert.doesNotMatch(text, /<fieldset>/);
  });

  test('is a choice between its ways to sign in, the usual one first, in the words of the bank', () => {
    const text = shown([way('personal', 'personal'), way('business:app', 'business', app)]);
    assert.match(
      text,
      /name="way" value="personal" checked> <span>Personal accounts<br><small>In the usual way of the bank\.<\/small>/,
    );
    assert.match(text, /<legend>How do you sign in\?/);
    assert.match(text, /value="business:app"> <span>Business accounts – Ahorn&lt;App&gt;<br>/);
    assert.match(text, /You confirm in an app, which may be on another device\. It asks for: User number\./);
    assert.equal(text.match(/" checked>/g)?.length, 1);
  });

  test('begins with the way of the last time where access is renewed', () => {
    const text = shown([way('personal', 'personal'), way('business', 'business')], { renewal: true });
    assert.match(text, /value="before" checked> <span>As the last time/);
    assert.match(text, /<legend>Which accounts do you connect\?/);
  });

  test('keeps the choice of a person who starts again', () => {
    const text = shown([way('personal', 'personal'), way('business', 'business')], { openAttempt: 2 });
    const form = /<form method="post" action="\/link\/token">[\s\S]*?<\/form>/.exec(text)?.[0] ?? '';
    assert.match(form, /<button formaction="\/link\/token\/again\?after=2">Start again at Enable Banking/);
    assert.match(form, /name="way"/);
  });
});

describe('The field for what a provider asks for', () => {
  test('is labelled, is kept by no browser, is posted, and follows a link to where the value comes from', () => {
    const shown = page('simplefin');
    assert.match(shown, /<label for="entered">Setup token<\/label>\s*<input id="entered" name="entered"/);
    assert.match(shown, /autocomplete="off"/);
    assert.match(shown, /<form method="post" action="\/link\/token">\s*<label/);
    assert.ok(shown.includes(`<a href="${CREATE}" target="_blank" rel="noopener noreferrer">`));
    for (const provider of LINKED_PROVIDERS.filter((name) => LINK_WORDS[name].entry === null))
      assert.doesNotMatch(page(provider), /<input/);
  });

  test('says what is wrong with what was entered, and of a value that was not used that it is to be entered again', () => {
    for (const notice of [...ENTERED_PROBLEMS, 'nothing'] as const)
      assert.match(page('simplefin', { notice }), /role="alert">[^<]*token/i);
    for (const notice of ['other_browser', 'replaced'] as const)
      assert.match(page('simplefin', { notice }), /nothing was connected.*nter it again/);
  });

  test('is not shown for a provider that is not set up any more', () => {
    assert.doesNotMatch(page('simplefin', { more: { entryFrom: null } }), /<input/);
  });
});

describe('Who asks, on the page before a link', () => {
  test('is the masked address with the name set apart to strangers, who read that no one checked it', () => {
    const shown = page('au_banking');
    assert.match(shown, /Requested by<\/dt><dd>o•••@acme\.test \(<bdi>Acme Budgets<\/bdi>\)/);
    assert.match(shown, /was entered by them, and no one has checked it/);
    assert.ok(!shown.includes('owner@acme.test'));
    const unnamed = page('au_banking', { more: { requester: { ...REQUESTER, name: null } } });
    assert.match(unnamed, /<dd>o•••@acme\.test<\/dd>/);
    assert.doesNotMatch(unnamed, /Acme/);
    assert.match(unnamed, /cancel/);
  });

  test('is not who can read it: strangers are told the masked addresses of those who share the account record', () => {
    const readers = ['m•••@books.test', 's•••@books.test'];
    const shownTo = (of: readonly string[], more: number) =>
      page('au_banking', { viewer: { kind: 'stranger', readers: of, more } });
    assert.match(page('au_banking'), /If you continue, m•••@books\.test can read what you connect/);
    assert.match(shownTo(readers, 2), /m•••@books\.test, s•••@books\.test, and 2 other people can read/);
    assert.match(shownTo(readers, 1), /m•••@books\.test, s•••@books\.test, and one other person can read/);
    assert.match(shownTo([], 0), /the operator of this service can read what you connect/);
  });

  test('decides what is said of how to stop: only people who can sign in delete the connection here', () => {
    const member: Viewer = { kind: 'member', email: 'me@home.test' };
    for (const provider of LINKED_PROVIDERS) {
      assert.match(page(provider, { viewer: member }), /delete the connection here/);
      assert.doesNotMatch(page(provider), /connection here/);
      assert.match(page(provider), /ask those who can read it to delete the connection/);
    }
    assert.match(page('nz_banking'), /You can stop sharing at any time: end it at Akahu, or ask those/);
  });

  test('is the account record to those who share it, with the address as which they are signed in', () => {
    const shown = page('au_banking', { viewer: { kind: 'member', email: 'me@home.test' } });
    assert.match(shown, /Account record<\/dt><dd>owner@acme\.test \(<bdi>Acme Budgets<\/bdi>\)/);
    assert.match(shown, /Signed in as<\/dt><dd>me@home\.test/);
    assert.doesNotMatch(shown, /Requested by|do not recognise/);
  });

  test('is someone else to a person who is signed in but does not share the account record', () => {
    const shown = page('au_banking', { viewer: { kind: 'other', email: 'me@home.test' } });
    assert.match(shown, /do not share<\/strong> as me@home\.test/);
    assert.ok(!shown.includes('owner@acme.test'));
  });
});
