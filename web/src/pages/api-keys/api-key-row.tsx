import { Link } from '@tanstack/react-router';
import type { ApiKey } from '#client';
import { SCOPES } from '../../../../src/vocabulary/scopes.ts';
import { agoText, momentText } from '../../format/moments.ts';
import rows from '../../parts/rows.module.css';
import { PATHS } from '../../routing/paths.ts';
import { API_KEYS } from '../../text/api-keys.ts';
import { DEVELOPER } from '../../text/developer.ts';
import classes from '../developer/developer.module.css';
import { ApiKeyMenu } from './api-key-menu.tsx';
import { ApiKeyStatus } from './api-key-status.tsx';
import type { ApiKeyActions } from './use-api-key-actions.tsx';

interface ApiKeyRowProps {
  readonly apiKey: ApiKey;
  readonly zone: string;
  readonly actions: ApiKeyActions;
}

export function ApiKeyRow({ apiKey, zone, actions }: ApiKeyRowProps) {
  return (
    <li className={rows.row}>
      <div className={rows.words}>
        <p className={rows.name}>
          <Link to={PATHS.apiKey} params={{ id: apiKey.id }} className={rows.link}>
            {apiKey.name}
          </Link>
          <ApiKeyStatus status={apiKey.status} />
        </p>
        <p className={rows.detail}>
          <span className={classes.code}>{apiKey.prefix}…</span>
          {` · ${detailsOf(apiKey, zone).join(' · ')}`}
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
