import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { LinkInvitation } from '../../../src/features/linking/hosted-links.ts';
import type { LinkNotice } from '../../../src/features/linking/link-flow.ts';
import { invitationPage } from '../../../src/surfaces/hosted/link-pages.ts';
import type { Viewer } from '../../../src/surfaces/hosted/viewer.ts';
import { rowId } from '../../../src/vocabulary/ids.ts';
import { LINK_WORDS } from '../../../src/vocabulary/link-words.ts';
import {
  PROVIDER_IDENTIFIERS,
  PROVIDERS,
  type ProviderIdentifier,
} from '../../../src/vocabulary/provider-kinds.ts';

const CHOSEN = 'Rimu Bank';
const STRANGER: Viewer = { kind: 'stranger' };
const REQUESTER = {
  record: rowId('account_record', '0199b1f2-0000-7000-8000-000000000001'),
  name: 'Acme Budgets',
  email: 'owner@acme.test',
  maskedEmail: 'o•••@acme.test',
};

interface Shown {
  readonly more?: Partial<LinkInvitation>;
  readonly viewer?: Viewer;
  readonly notice?: LinkNotice | null;
}

function page(provider: ProviderIdentifier, { more = {}, viewer = STRANGER, notice = null }: Shown = {}) {
  const invitation: LinkInvitation = {
    status: 'pending',
    provider,
    institution: null,
    direct: LINK_WORDS[provider].page === null,
    renewal: false,
    requester: REQUESTER,
    expiresAt: Date.parse('2026-11-28T12:00:00Z'),
    timezone: 'Pacific/Auckland',
    openAttempt: null,
    returnTo: null,
    ...more,
  };
  const { title, body } = invitationPage('/link/token', invitation, viewer, notice);
  return `${title}\n${body.text}`;
}

/** Every way in which a provider can be linked: over a page of the vendor, and without one. */
const WAYS = PROVIDER_IDENTIFIERS.flatMap((provider) => {
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
      PROVIDER_IDENTIFIERS.map((name) => [name, LINK_WORDS[name].page?.vendor ?? 'Up']),
    );
    for (const provider of PROVIDER_IDENTIFIERS) {
      const shown = page(provider);
      for (const [other, vendor] of vendors) {
        const named = new RegExp(`\\b${vendor}\\b`).test(shown);
        assert.equal(named, other === provider, `${vendor} on the page of ${provider}`);
      }
    }
  });
});

describe('Who asks, on the page before a link', () => {
  test('is the masked address with the name set apart to strangers, who are told that nobody checked it', () => {
    const shown = page('au_banking');
    assert.match(shown, /Requested by<\/dt><dd>o•••@acme\.test \(<bdi>Acme Budgets<\/bdi>\)/);
    assert.match(shown, /They chose the name in brackets themselves/);
    assert.ok(!shown.includes('owner@acme.test'));
    const unnamed = page('au_banking', { more: { requester: { ...REQUESTER, name: null } } });
    assert.match(unnamed, /<dd>o•••@acme\.test<\/dd>/);
    assert.doesNotMatch(unnamed, /They chose the name|Acme/);
    assert.match(unnamed, /cancel/);
  });

  test('is the account record to those who share it, with the address as which they are signed in', () => {
    const shown = page('au_banking', { viewer: { kind: 'member', email: 'me@home.test' } });
    assert.match(shown, /Account record<\/dt><dd>owner@acme\.test \(<bdi>Acme Budgets<\/bdi>\)/);
    assert.match(shown, /Signed in as<\/dt><dd>me@home\.test/);
    assert.doesNotMatch(shown, /Requested by|do not recognise/);
  });

  test('is somebody else to a person who is signed in but does not share the account record', () => {
    const shown = page('au_banking', { viewer: { kind: 'other', email: 'me@home.test' } });
    assert.match(shown, /do not share<\/strong> as me@home\.test/);
    assert.ok(!shown.includes('owner@acme.test'));
  });
});
