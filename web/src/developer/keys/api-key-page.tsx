import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ApiKey } from '#client';
import { APP_PATHS } from '../../../../src/vocabulary/page-paths.ts';
import type { Scope } from '../../../../src/vocabulary/scopes.ts';
import { apiKey, apiKeyMakers } from '../../api/api-keys.ts';
import { me } from '../../api/me.ts';
import { agoText, momentText } from '../../format/moments.ts';
import { Card, Facts } from '../../parts/card.tsx';
import { Back, Page } from '../../parts/page.tsx';
import { LoadingRows } from '../../parts/page-states.tsx';
import { API_KEYS, SCOPE_WORDS } from '../../text/api-keys.ts';
import { DEVELOPER } from '../../text/developer.ts';
import classes from '../developer.module.css';
import { CodeWords, Refusal } from '../developer-page.tsx';
import { ApiKeyMenu, ApiKeyStatus, makerOf, useApiKeyActions } from './api-key-actions.tsx';

const route = getRouteApi(APP_PATHS.apiKey);

export function ApiKeyPage() {
  const { id } = route.useParams();
  const key = useQuery(apiKey(id));
  const record = useQuery(me);
  const makers = useQuery(apiKeyMakers);
  const error = key.error ?? record.error;
  return (
    <>
      <Back to={APP_PATHS.apiKeys}>{API_KEYS.title}</Back>
      {key.data !== undefined && record.data !== undefined && !makers.isPending ? (
        <Details apiKey={key.data} maker={makerOf(key.data, makers.data)} zone={record.data.timezone} />
      ) : (
        <Page title={API_KEYS.title} actionsToCome={error === null}>
          {error === null ? (
            <LoadingRows count={3} />
          ) : (
            <Refusal error={error} again={() => Promise.all([key.refetch(), record.refetch()])} />
          )}
        </Page>
      )}
    </>
  );
}

interface DetailsProps {
  readonly apiKey: ApiKey;
  /** The person or key that created it, in words. */
  readonly maker: string | null;
  readonly zone: string;
}

function Details({ apiKey: shown, maker, zone }: DetailsProps) {
  const actions = useApiKeyActions();
  const { facts } = API_KEYS;
  const at = (moment: string | null) => (moment === null ? null : momentText(moment, zone));
  return (
    <Page
      title={shown.name}
      actions={
        <>
          <ApiKeyStatus status={shown.status} />
          {shown.status === 'active' ? (
            <Button variant="default" onClick={() => actions.start('rotate', shown)}>
              {API_KEYS.rotate}
            </Button>
          ) : null}
          <ApiKeyMenu apiKey={shown} actions={actions} />
        </>
      }
    >
      {actions.outcome}
      <Card title={DEVELOPER.details}>
        <Facts
          facts={[
            [
              facts.prefix,
              <span key="prefix" className={classes.code}>
                {shown.prefix}
              </span>,
            ],
            [DEVELOPER.created, at(shown.created)],
            [facts.createdBy, maker],
            [
              DEVELOPER.lastUsed,
              shown.last_used_at === null ? DEVELOPER.neverUsed : agoText(shown.last_used_at),
            ],
            [facts.expires, at(shown.expires_at) ?? DEVELOPER.never],
            [facts.stops, at(shown.expiring_at)],
            [facts.addresses, shown.allowed_ips?.join(', ') ?? facts.anywhere],
            [facts.replaces, shown.rotated_from],
            [
              facts.metadata,
              Object.entries(shown.metadata ?? {})
                .map(([name, value]) => `${name}=${value}`)
                .join(', '),
            ],
          ]}
        />
      </Card>
      <Card title={API_KEYS.scopesTitle} aside={shown.legacy ? API_KEYS.legacy : undefined}>
        <ScopeList scopes={shown.scopes} />
      </Card>
      {actions.dialog}
    </Page>
  );
}

/** Scopes with what each allows. */
function ScopeList({ scopes }: { readonly scopes: readonly Scope[] }) {
  return (
    <ul className={classes.list}>
      {scopes.map((scope) => (
        <li key={scope}>
          <span className={classes.code}>{scope}</span>
          <span className={classes.meaning}>
            <CodeWords text={SCOPE_WORDS[scope]} />
          </span>
        </li>
      ))}
    </ul>
  );
}
