import { createHash } from 'node:crypto';
import { Type } from 'typebox';
import type {
  CreatedTarget,
  CreationRequest,
  DestinationAccess,
  DestinationConnector,
  DestinationLinking,
  DestinationResources,
  TargetProblem,
  TargetQuestion,
} from '../../../../src/connectors/destinations/destination-contract.ts';
import { DestinationFailure } from '../../../../src/connectors/destinations/destination-failure.ts';
import type { OutgoingHttp } from '../../../../src/platform/outgoing-http.ts';
import type { RowId } from '../../../../src/vocabulary/ids.ts';
import { PaperclipClient } from './client.ts';
import { PaperclipWriter } from './writer.ts';

const Made = Type.Object({
  id: Type.String(),
  name: Type.String(),
  tabs: Type.Array(Type.Tuple([Type.String(), Type.String()])),
});
const Listed = Type.Object({ documents: Type.Array(Made) });

/** The whole of what the house knows of Paperclip. It goes under the name of a spreadsheet. */
export function paperclipConnector(http: OutgoingHttp, origin: string): DestinationConnector {
  const client = new PaperclipClient(http, origin);
  return {
    type: 'sheets',
    afterUnknown: 'look_up',
    chunkRows: 100,
    chunkBytes: 256 * 1024,
    linking: linkingOf(client, origin),
    resources: resourcesOf(client),
    checkTarget: (access, question, signal) => checkDocument(client, access, question, signal),
    create: (access, request, signal) => made(client, access, request, signal),
    open: async ({ target, access, sync }) => {
      if (access === null || target.spreadsheet_id === undefined) {
        const known = { outcome: 'refused', retryable: false } as const;
        throw new DestinationFailure('run_failed', 'Paperclip has no grant or no document.', known);
      }
      return new PaperclipWriter(client, access, sync, target.spreadsheet_id);
    },
  };
}

function linkingOf(client: PaperclipClient, origin: string): DestinationLinking {
  return {
    begin: async ({ redirectUri, state, verifier }) => {
      const url = new URL('/authorize', origin);
      url.searchParams.set('redirect_uri', redirectUri);
      url.searchParams.set('state', state);
      url.searchParams.set('code_challenge', createHash('sha256').update(verifier).digest('base64url'));
      return url.href;
    },
    complete: async ({ redirectUri, verifier, query }, signal) => {
      if (query.code === undefined) return { kind: 'refused', reason: 'access_denied' };
      const form = { code: query.code, verifier, redirect_uri: redirectUri };
      const grant = await client.token(form, signal);
      return grant === null
        ? { kind: 'refused', reason: 'unknown' }
        : { kind: 'linked', grant, name: 'Paperclip' };
    },
    revoke: (grant, signal) => client.revoke(grant, signal),
  };
}

function resourcesOf(client: PaperclipClient): DestinationResources {
  return {
    list: async (access, { limit }, signal) => {
      const { documents } = await client.call(access, 'GET', '/documents', { expect: Listed, signal });
      return documents.slice(0, limit).map(({ id, name }) => ({ id, name, url: null }));
    },
  };
}

/** The document, and its tabs for accounts; 0 is the one for all. */
async function checkDocument(
  client: PaperclipClient,
  access: DestinationAccess,
  { target, places }: TargetQuestion,
  signal: AbortSignal,
): Promise<TargetProblem | null> {
  const { documents } = await client.call(access, 'GET', '/documents', { expect: Listed, signal });
  const document = documents.find(({ id }) => id === target.spreadsheet_id);
  const message = 'Paperclip has no such thing.';
  if (document === undefined) return { part: 'target', name: 'spreadsheet_id', message };
  const tabs = new Set(['0', ...document.tabs.map(([, sheet]) => sheet)]);
  const unknown = places.find((id) => !tabs.has(id));
  return unknown === undefined ? null : { part: 'places', name: unknown, message };
}

/** Looks first for what an earlier attempt made, by its key and by the accounts that have a tab. */
async function made(
  client: PaperclipClient,
  access: DestinationAccess,
  request: CreationRequest,
  signal: AbortSignal,
): Promise<CreatedTarget> {
  const { key, again, name, target } = request;
  const wanted: RowId<'account'>[] = request.accounts.map(({ id }) => id);
  let document: string | null = target?.spreadsheet_id ?? null;
  let tabs: readonly (readonly [string, string])[] = [];
  if (again) {
    const query = document === null ? `?key=${key}` : '';
    const { documents } = await client.call(access, 'GET', `/documents${query}`, { expect: Listed, signal });
    const found = documents.find(({ id }) => document === null || id === document);
    document = found?.id ?? document;
    tabs = found?.tabs ?? [];
  }
  const missing = wanted.filter((account) => !tabs.some(([of]) => of === account));
  if (document === null || missing.length > 0) {
    const body = { key, name, document, accounts: missing };
    const answer = await client.call(access, 'POST', '/documents', { body, expect: Made, signal });
    document = answer.id;
    tabs = answer.tabs;
  }
  const tabOf = new Map(tabs);
  return {
    target: {
      spreadsheet_id: document,
      sheet_id: '0',
      spreadsheet_name: name,
      sheet_name: 'Rows',
      ...target,
    },
    mappings: wanted.flatMap((account) => {
      const sheet = tabOf.get(account);
      return sheet === undefined ? [] : [{ account, sheet_id: sheet, sheet_name: `Tab ${account}` }];
    }),
  };
}
