import { createPrivateKey } from 'node:crypto';
import type { Parser } from '../../../platform/config-values.ts';
import {
  address,
  credential,
  type IntegrationVariable,
  option,
  secret,
} from '../../../platform/integration-settings.ts';
import type { ProviderIntegration } from '../provider-integration.ts';

const PEM = /^-----BEGIN [A-Z ]*PRIVATE KEY-----/;

/**
 * An RSA private key: PEM, with line breaks or with `\n` for each, or the base64 of the PEM file in one line. The value
 * is PEM.
 */
const rsaPrivateKey: Parser<string> = (text) => {
  const given = PEM.test(text) ? text.replaceAll('\\n', '\n') : Buffer.from(text, 'base64').toString();
  try {
    if (createPrivateKey(given).asymmetricKeyType === 'rsa') return { value: given };
  } catch {
    // Said below, without what the parser saw.
  }
  return { problem: 'must be an RSA private key in PEM, or the base64 of it' };
};

const BASE_URL = address(
  'ENABLE_BANKING_BASE_URL',
  'https://api.enablebanking.com',
  'Where Enable Banking is reached.',
);
const APPLICATION_ID = credential(
  'ENABLE_BANKING_APPLICATION_ID',
  'Id of the application from the vendor’s control panel; needs `ENABLE_BANKING_PRIVATE_KEY`.',
);
const PRIVATE_KEY: IntegrationVariable<string> = {
  ...secret(
    'ENABLE_BANKING_PRIVATE_KEY',
    'Private key of the application; needs `ENABLE_BANKING_APPLICATION_ID`.',
  ),
  parse: rsaPrivateKey,
  form: 'PEM, or its base64',
};
const PSU_TYPE = option(
  'ENABLE_BANKING_PSU_TYPE',
  ['personal', 'business'],
  'personal',
  'Which accounts are offered first at banks that have both kinds; people may choose the other.',
);

/** Enable Banking in front of banks in Europe and the United Kingdom. */
export const ENABLE_BANKING: ProviderIntegration = {
  kind: 'provider',
  name: 'enable_banking',
  variables: [BASE_URL, APPLICATION_ID, PRIVATE_KEY, PSU_TYPE],
  open: async (values, tools) => {
    const { createEnableBankingProvider } = await import('./connector.ts');
    return createEnableBankingProvider({
      ...tools,
      baseUrl: values.get(BASE_URL),
      applicationId: values.get(APPLICATION_ID),
      privateKey: values.get(PRIVATE_KEY),
      psuType: values.get(PSU_TYPE),
    });
  },
};
