import { idText, nameText, parseExact, rowsOf, text } from '../../../src/connectors/providers/kit/json.ts';
import { VendorCalls } from '../../../src/connectors/providers/kit/vendor-calls.ts';
import type { Provider } from '../../../src/connectors/providers/provider-contract.ts';
import type { ProviderTools } from '../../../src/connectors/providers/provider-integration.ts';
import { UpstreamFailure } from '../../../src/vocabulary/upstream-failures.ts';

const KIND = { cursor: false, account: false, answer: 'list' } as const;

interface WekaOptions extends ProviderTools {
  readonly baseUrl: string;
  readonly token: string;
  readonly secret: string;
}

const lacking = async (): Promise<never> => {
  throw new UpstreamFailure('not_implemented', 'Weka only lists banks.');
};

/** An adapter that can do no more than list banks, by means of the kit. */
export function createWeka({ token, secret, ...tools }: WekaOptions): Provider {
  const calls = new VendorCalls({
    ...tools,
    errors: { read: (body) => ({ codes: [], message: text(body, 'message') }), codes: [] },
  });
  const authorization = `Basic ${Buffer.from(`${token}:${secret}`).toString('base64')}`;
  return {
    identifier: 'nz_banking',
    capabilities: new Set(['institutions']),
    redeemsOnce: false,
    listInstitutions: (signal) =>
      calls.again(signal, async () => {
        const answer = await calls.send({
          method: 'GET',
          path: '/banks',
          headers: { authorization },
          kind: KIND,
          signal,
        });
        return rowsOf(parseExact(calls.bodyOf(answer, KIND)), 'items').map((row) => ({
          id: idText(row, '_id') ?? '',
          name: nameText(row, 'name') ?? '',
          shortName: nameText(row, 'name') ?? '',
          logo: '',
          available: true,
          status: null,
        }));
      }),
    createCustomer: lacking,
    deleteCustomer: lacking,
    activeGrants: lacking,
    beginLink: lacking,
    completeLink: lacking,
    readConsent: lacking,
    withdraw: lacking,
    listAccounts: lacking,
    readBalance: lacking,
    readDetails: lacking,
    transactionPages: async function* () {
      yield lacking();
    },
  };
}
