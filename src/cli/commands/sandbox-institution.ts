import { Type } from 'typebox';
import { parseProviderRowId } from '../../vocabulary/providers.ts';
import { command } from '../command.ts';
import { usageFailure } from '../failure.ts';
import { askSimulator } from '../sandbox-control.ts';

/** `sandbox institution`: has a simulated bank work, work badly or not at all. */
export const sandboxInstitution = command({
  name: 'sandbox institution',
  args: Type.Object({ institution: Type.String(), status: Type.String() }, { additionalProperties: false }),
  result: Type.Object({ institution: Type.String(), status: Type.String() }),
  run: async (context, { institution, status }) => {
    const named = parseProviderRowId('institution', institution);
    if (named === null) throw usageFailure(`"${institution}" is no id of an institution (inst_…).`);
    const path = `/institutions/${encodeURIComponent(named.upstreamId)}/status`;
    await askSimulator(context, named.provider, { method: 'POST', path, body: { status } });
    return { institution, status };
  },
  show: ({ institution, status }) => `${institution} is ${status} now.`,
});
