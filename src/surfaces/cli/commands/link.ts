import { Type } from 'typebox';
import type { LinkedConnection } from '../../../features/linking/connections.ts';
import type { Institution } from '../../../features/linking/institutions.ts';
import type { Services } from '../../../operations/services.ts';
import { systemClock } from '../../../platform/clock.ts';
import { OPERATOR } from '../../../vocabulary/actors.ts';
import { type OwnerId, publicId, type RowId } from '../../../vocabulary/ids.ts';
import { isProviderIdentifier, PROVIDERS, providerRowId } from '../../../vocabulary/provider-kinds.ts';
import { command } from '../command.ts';
import { completeConsent } from '../consent-pages.ts';
import { CommandFailure, usageFailure } from '../failure.ts';
import { linkableProviders } from '../simulated-integrations.ts';
import { pairs, table } from '../table.ts';
import { accountRecordId } from './account.ts';

const RETURN_URL = 'http://127.0.0.1/linked';
const IMPORT_WAIT_MS = 60_000;
const POLL_MS = 200;

/** `link`: completes a consent of the sandbox over HTTP, page by page, as a person would. */
export const link = command({
  name: 'link',
  needsDoors: true,
  args: Type.Object(
    {
      account: Type.String(),
      provider: Type.String(),
      institution: Type.Optional(Type.String()),
      persona: Type.Optional(Type.String()),
    },
    { additionalProperties: false },
  ),
  result: Type.Object({
    connection: Type.String(),
    provider: Type.String(),
    institution: Type.String(),
    status: Type.String(),
    accounts: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        type: Type.String(),
        account_number: Type.Union([Type.String(), Type.Null()]),
        currency: Type.String(),
      }),
    ),
  }),
  run: async ({ app, url, signal }, args) => {
    const { services, config } = app;
    if (!config.sandbox || url === null) {
      throw new CommandFailure(
        'link works only in the sandbox: at a real bank, a person has to consent. Create a link session over v2 and open its url.',
      );
    }
    const { provider } = args;
    if (!isProviderIdentifier(provider)) {
      throw usageFailure(
        `There is no provider "${provider}". The providers are ${linkableProviders(app.integrations).join(', ')}.`,
      );
    }
    const owner = accountRecordId(args.account);
    await services.accountRecords.find(owner);
    const institution = args.institution ?? (await firstBank(services, owner, provider, signal));
    if (args.persona !== undefined) app.operator.sandbox?.choosePersona(provider, institution, args.persona);
    const before = new Set((await services.connections.all(owner)).map(({ id }) => id));
    const session = await services.linkSessions.create(
      owner,
      {
        provider,
        institution: PROVIDERS[provider].linksInstitution ? institution : null,
        chosenInstitution: PROVIDERS[provider].linksInstitution ? null : institution,
        returnUrl: RETURN_URL,
        metadata: null,
        actor: OPERATOR,
      },
      signal,
    );
    const end = await completeConsent(session.url, RETURN_URL, {
      customer: args.persona,
      signal,
      reachedAt: new Map([[new URL(services.publicUrl).origin, url]]),
    });
    if (end.searchParams.get('link_session') !== 'completed') {
      throw new CommandFailure(
        `The bank was not linked: ${end.searchParams.get('reason') ?? 'no reason given'}. Run the command again, or choose another --institution.`,
      );
    }
    const { session: completed } = await services.linkSessions.read(owner, session.id);
    if (completed.connection === null) throw new CommandFailure('The link session names no connection.');
    const [linked, ...others] = await importedConnections(
      services,
      { owner, before },
      completed.connection,
      signal,
    );
    return {
      connection: publicId('connection', linked.id),
      provider,
      institution: linked.connection.institution_name,
      status: linked.status,
      accounts: [linked, ...others]
        .flatMap(({ accounts }) => accounts)
        .map((account) => ({
          id: publicId('account', account.id),
          name: account.name,
          type: account.type,
          account_number: account.masked_number,
          currency: account.currency,
        })),
    };
  },
  show: ({ connection, institution, status, accounts }) =>
    `${pairs([
      ['Connection', connection],
      ['Institution', institution],
      ['Status', status],
    ])}\n\n${table(
      [
        { title: 'ACCOUNT' },
        { title: 'NAME' },
        { title: 'TYPE' },
        { title: 'NUMBER' },
        { title: 'CURRENCY' },
      ],
      accounts.map((one) => [one.id, one.name, one.type, one.account_number ?? '', one.currency]),
    )}`,
});

/** The bank a person would try first: the first in the list that works now. */
async function firstBank(
  services: Services,
  owner: OwnerId,
  provider: Institution['provider'],
  signal: AbortSignal,
): Promise<string | null> {
  if (!PROVIDERS[provider].linksInstitution) return null;
  const page = { limit: 100, after: null, before: null };
  const { items } = await services.institutions.list(owner, provider, null, page, signal);
  // Some vendors do not say how a bank works now.
  const bank = items.find((one) => one.available && one.status !== 'OUTAGE');
  if (bank === undefined)
    throw new CommandFailure(`No bank of ${provider} is available now. Choose one with --institution.`);
  return providerRowId('institution', provider, bank.id);
}

/**
 * The connection that the consent names, then others that were not there `before`, once their accounts are listed: one
 * consent may link several institutions.
 */
async function importedConnections(
  services: Services,
  { owner, before }: { owner: OwnerId; before: ReadonlySet<RowId<'connection'>> },
  id: RowId<'connection'>,
  signal: AbortSignal,
): Promise<[LinkedConnection, ...LinkedConnection[]]> {
  const end = performance.now() + IMPORT_WAIT_MS;
  for (;;) {
    const named = await services.connections.read(owner, id);
    const others = (await services.connections.all(owner)).filter(
      (one) => one.id !== id && !before.has(one.id),
    );
    const isWaiting = [named, ...others].some(({ status }) => status === 'pending');
    if (!isWaiting || performance.now() >= end) return [named, ...others];
    await systemClock.sleep(POLL_MS, signal);
  }
}
