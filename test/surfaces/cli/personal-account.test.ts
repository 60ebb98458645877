import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { INTEGRATIONS } from '../../../src/app/integrations.ts';
import { Inspection } from '../../../src/features/operator/inspection.ts';
import { type OwnerId, publicId } from '../../../src/vocabulary/ids.ts';
import { startService, type TestService } from '../../support/service.ts';

const NOBODY = 'acc_0000000000000000000001';

/** What doctor finds of PERSONAL_ACCOUNT; `named`: where it was set to that since the start. */
async function found({ app }: TestService, named: OwnerId | null = null) {
  const config = named === null ? app.config : { ...app.config, personalAccount: named };
  const inspection = new Inspection({ ...app, config, encryption: app.operator.encryption });
  const findings = await inspection.run(true, AbortSignal.timeout(60_000));
  return findings.filter(({ check }) => check === 'personal account');
}

describe('PERSONAL_ACCOUNT', () => {
  it('fails the doctor where it names no account record, and passes where it names one', async (t) => {
    const service = await startService({ PERSONAL_ACCOUNT: NOBODY });
    t.after(() => service.close());
    const [missing, ...more] = await found(service);
    assert.deepEqual([missing?.outcome, more], ['fail', []]);
    assert.match(missing?.found ?? '', new RegExp(`names ${NOBODY}, which is not an account record`));
    assert.match(missing?.advice ?? '', /tributary account list/);
    const { id } = (await service.owner()).record;
    const [there] = await found(service, id);
    assert.deepEqual(
      [there?.outcome, there?.found],
      ['ok', `PERSONAL_ACCOUNT names ${publicId('account_record', id)}`],
    );
  });

  it('is a warning where no provider has personal credentials, and nothing where it is not set', async (t) => {
    const integrations = INTEGRATIONS.filter(({ row }) => row.name !== 'up_bank');
    const service = await startService({ PERSONAL_ACCOUNT: NOBODY }, { integrations });
    t.after(() => service.close());
    assert.deepEqual(
      (await found(service)).map(({ outcome }) => outcome),
      ['warn'],
    );
    const unset = await startService();
    t.after(() => unset.close());
    assert.deepEqual(await found(unset), []);
  });
});
