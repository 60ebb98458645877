import { NativeSelect } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { UnreachableError } from '#client';
import { APP_PATHS } from '../../../../src/vocabulary/page-paths.ts';
import { appUrl } from '../../api/app-url.ts';
import { isObject } from '../../api/json.ts';
import { Card } from '../../parts/card.tsx';
import { CopyText } from '../../parts/copy-text.tsx';
import { LoadingRows, Problem } from '../../parts/page-states.tsx';
import { AGENTS } from '../../text/apps.ts';
import classes from '../developer.module.css';
import { DeveloperPage } from '../developer-page.tsx';
import { AGENT_SETUPS, type Agent, isLocal } from './agent-setups.ts';

const METADATA = '.well-known/oauth-protected-resource/mcp';

/**
 * The address of the MCP server, as agents themselves find it: in the metadata of the resource (RFC 9728). If the
 * application has its own path (APP_URL), the document may be only at the root of the host. Raises UnreachableError.
 */
const mcpUrl = queryOptions({
  queryKey: ['mcp-url'],
  queryFn: async ({ signal }) => {
    const found =
      (await resourceIn(appUrl(METADATA), signal)) ??
      (await resourceIn(new URL(`/${METADATA}`, location.origin), signal));
    if (found === null) throw new UnreachableError('The service does not say where its MCP server is.');
    return found;
  },
  staleTime: Number.POSITIVE_INFINITY,
});

/** Null if the document does not exist, or does not contain it. */
async function resourceIn(url: URL, signal: AbortSignal): Promise<string | null> {
  const response = await fetch(url, { signal }).catch((error: unknown) => {
    if (signal.aborted) throw error;
    throw new UnreachableError('No answer', { cause: error });
  });
  if (!response.ok) return null;
  const metadata: unknown = await response.json();
  return isObject(metadata) && typeof metadata.resource === 'string' ? metadata.resource : null;
}

const NAMES: readonly Agent[] = ['claude', 'claudeCode', 'chatgpt', 'cursor', 'vscode', 'inspector'];

export function AgentsPage() {
  const { data, error, refetch } = useQuery(mcpUrl);
  return (
    <DeveloperPage title={AGENTS.title}>
      <p className={classes.intro}>{AGENTS.intro}</p>
      {data !== undefined ? (
        <Setup url={data} />
      ) : error === null ? (
        <Card title={AGENTS.address}>
          <LoadingRows count={2} />
        </Card>
      ) : (
        <Problem error={error} again={refetch} />
      )}
    </DeveloperPage>
  );
}

function Setup({ url }: { readonly url: string }) {
  const [agent, setAgent] = useState<Agent>('claude');
  const { withKey } = AGENT_SETUPS[agent];
  return (
    <>
      <Card title={AGENTS.address}>
        <div className={`${classes.inside} ${classes.stack}`}>
          <p>{AGENTS.addressText}</p>
          <CopyText label={AGENTS.address} text={url} />
          {isLocal(url) ? <p className={classes.warning}>{AGENTS.local}</p> : null}
        </div>
      </Card>
      <Card title={AGENTS.choose}>
        <div className={`${classes.inside} ${classes.stack}`}>
          <NativeSelect
            label={AGENTS.which}
            className={classes.agent ?? ''}
            value={agent}
            data={NAMES.map((value) => ({ value, label: AGENTS.agents[value] }))}
            onChange={({ currentTarget }) =>
              setAgent(NAMES.find((one) => one === currentTarget.value) ?? agent)
            }
          />
          <AgentSteps agent={agent} url={url} />
          {withKey === null ? null : (
            <>
              <h3 className={classes.subtitle}>{AGENTS.withKey}</h3>
              <p className={classes.meaning}>
                {`${AGENTS.withKeyText} `}
                <Link to={APP_PATHS.newApiKey}>{AGENTS.createKey}</Link>
              </p>
              <CopyText label={AGENTS.withKeyConfiguration(AGENTS.agents[agent])} text={withKey(url)} />
            </>
          )}
        </div>
      </Card>
      <p className={classes.intro}>
        {`${AGENTS.apps} `}
        <Link to={APP_PATHS.connectedApps}>{AGENTS.seeApps}</Link>
        {' · '}
        <a href={appUrl('docs/mcp').href} target="_blank" rel="noreferrer">
          {AGENTS.guide}
        </a>
      </p>
    </>
  );
}

/** What to do in the agent, with the command or file to copy below the step that asks for it. */
function AgentSteps({ agent, url }: { readonly agent: Agent; readonly url: string }) {
  const { signedIn } = AGENT_SETUPS[agent];
  const note = AGENTS.notes[agent];
  return (
    <>
      <ol className={classes.steps}>
        {AGENTS.steps[agent].map((step, at) => (
          <li key={step}>
            {step}
            {signedIn !== null && at === 0 ? (
              <CopyText label={AGENTS.configuration(AGENTS.agents[agent])} text={signedIn(url)} />
            ) : null}
          </li>
        ))}
      </ol>
      <p className={classes.meaning}>{AGENTS.oauth}</p>
      {note === null ? null : <p className={classes.meaning}>{note}</p>}
    </>
  );
}
