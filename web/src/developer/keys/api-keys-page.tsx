import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ApiKey } from '#client';
import { APP_PATHS } from '../../../../src/vocabulary/page-paths.ts';
import { SCOPES } from '../../../../src/vocabulary/scopes.ts';
import { apiKeyMakers, apiKeys } from '../../api/api-keys.ts';
import { me } from '../../api/me.ts';
import { agoText, momentText } from '../../format/moments.ts';
import { LinkButton, MoreButton } from '../../parts/buttons.tsx';
import { Card } from '../../parts/card.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Empty, LoadingRows } from '../../parts/page-states.tsx';
import rows from '../../parts/rows.module.css';
import { API_KEYS } from '../../text/api-keys.ts';
import { DEVELOPER } from '../../text/developer.ts';
import classes from '../developer.module.css';
import { DeveloperPage, Refusal } from '../developer-page.tsx';
import {
  type ApiKeyActions,
  ApiKeyMenu,
  ApiKeyStatus,
  makerOf,
  useApiKeyActions,
} from './api-key-actions.tsx';

const EXPECTED = 3;

export function ApiKeysPage() {
  const { error } = useInfiniteQuery(apiKeys);
  return (
    <DeveloperPage title={API_KEYS.title} actions={error === null ? <CreateButton /> : undefined}>
      <p className={classes.intro}>{API_KEYS.intro}</p>
      <KeyList />
    </DeveloperPage>
  );
}

function KeyList() {
  const list = useInfiniteQuery(apiKeys);
  const record = useQuery(me);
  // The list stays usable without them.
  const makers = useQuery(apiKeyMakers);
  const actions = useApiKeyActions();
  const error = list.error ?? record.error;
  if (list.data === undefined || record.data === undefined) {
    if (error !== null) {
      return <Refusal error={error} again={() => Promise.all([list.refetch(), record.refetch()])} />;
    }
    return (
      <Card title={API_KEYS.all}>
        <LoadingRows count={EXPECTED} />
      </Card>
    );
  }
  const keys = list.data.pages.flatMap(({ data }) => data);
  const { timezone } = record.data;
  return (
    <>
      {actions.outcome}
      {keys.length === 0 ? (
        <Empty title={API_KEYS.none} text={API_KEYS.noneText} action={<CreateButton />} />
      ) : (
        <Card title={API_KEYS.all}>
          <ul className={rows.rows}>
            {keys.map((key) => (
              <ApiKeyRow
                key={key.id}
                apiKey={key}
                maker={makerOf(key, makers.data)}
                zone={timezone}
                actions={actions}
              />
            ))}
          </ul>
          <MoreButton list={list} />
        </Card>
      )}
      {actions.dialog}
    </>
  );
}

function CreateButton() {
  return (
    <LinkButton to={APP_PATHS.newApiKey} leftSection={<Icon name="plus" />}>
      {API_KEYS.create}
    </LinkButton>
  );
}

interface ApiKeyRowProps {
  readonly apiKey: ApiKey;
  /** Who created it; null if that is not known. */
  readonly maker: string | null;
  readonly zone: string;
  readonly actions: ApiKeyActions;
}

function ApiKeyRow({ apiKey, maker, zone, actions }: ApiKeyRowProps) {
  return (
    <li className={rows.row}>
      <div className={rows.words}>
        <p className={rows.name}>
          <Link to={APP_PATHS.apiKey} params={{ id: apiKey.id }} className={rows.link}>
            {apiKey.name}
          </Link>
          <ApiKeyStatus status={apiKey.status} />
        </p>
        <p className={rows.detail}>
          <span className={classes.code}>{apiKey.prefix}…</span>
          {` · ${[...detailsOf(apiKey, zone), ...(maker === null ? [] : [API_KEYS.createdBy(maker)])].join(' · ')}`}
        </p>
      </div>
      <ApiKeyMenu apiKey={apiKey} actions={actions} />
    </li>
  );
}

function detailsOf(key: ApiKey, zone: string): readonly string[] {
  const { scopes, last_used_at: used, allowed_ips: addresses, expires_at: expires, expiring_at: stops } = key;
  const live = key.status === 'active' || key.status === 'expiring';
  return [
    scopes.length === SCOPES.length ? API_KEYS.allScopes : API_KEYS.scopes(scopes.length),
    used === null ? DEVELOPER.neverUsed : DEVELOPER.usedAgo(agoText(used)),
    ...(addresses === null ? [] : [API_KEYS.addresses(addresses.length)]),
    ...(live && stops !== null ? [API_KEYS.stops(momentText(stops, zone))] : []),
    ...(live && stops === null && expires !== null ? [API_KEYS.expires(momentText(expires, zone))] : []),
  ];
}
