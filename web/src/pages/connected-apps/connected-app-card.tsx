import { Button } from '@mantine/core';
import type { ConnectedApp } from '#client';
import { OAUTH_SCOPES } from '../../../../src/vocabulary/oauth-scopes.ts';
import { agoText, dateText } from '../../format/moments.ts';
import { Card, Facts } from '../../parts/card.tsx';
import { StatusBadge, type Tone } from '../../parts/status-badge.tsx';
import { CONNECTED_APPS } from '../../text/apps.ts';
import { DEVELOPER } from '../../text/developer.ts';
import developer from '../developer/developer.module.css';
import classes from './connected-apps.module.css';

interface ConnectedAppCardProps {
  readonly app: ConnectedApp;
  readonly zone: string;
  readonly onDisconnect: () => void;
}

const TONES: Readonly<Record<ConnectedApp['status'], Tone>> = {
  active: 'good',
  revoked: 'idle',
  expired: 'idle',
};

/** Anybody can register an app under any name, so the address that it returns to is beside it. */
export function ConnectedAppCard({ app, zone, onDisconnect }: ConnectedAppCardProps) {
  const { facts } = CONNECTED_APPS;
  const active = app.status === 'active';
  return (
    <Card
      title={nameOf(app)}
      aside={<StatusBadge tone={TONES[app.status]}>{CONNECTED_APPS.status[app.status]}</StatusBadge>}
    >
      <Facts
        facts={[
          [facts.returns, app.redirects_to],
          [
            facts.uses,
            app.resource.endsWith('/mcp') ? CONNECTED_APPS.resources.mcp : CONNECTED_APPS.resources.v2,
          ],
          [DEVELOPER.created, dateText(app.created, zone)],
          [DEVELOPER.lastUsed, app.last_used_at === null ? DEVELOPER.neverUsed : agoText(app.last_used_at)],
          [facts.ends, active ? dateText(app.expires_at, zone) : null],
        ]}
      />
      <div className={classes.scopes}>
        <p className={classes.may}>{CONNECTED_APPS.may}</p>
        <ul className={developer.consequences}>
          {app.scopes.map((scope) => (
            <li key={scope}>{OAUTH_SCOPES[scope].allows}</li>
          ))}
        </ul>
        {active ? (
          <Button
            className={classes.disconnect ?? ''}
            variant="default"
            aria-label={CONNECTED_APPS.disconnectOf(nameOf(app))}
            onClick={onDisconnect}
          >
            {CONNECTED_APPS.disconnect}
          </Button>
        ) : null}
      </div>
    </Card>
  );
}

export function nameOf({ name }: ConnectedApp): string {
  return name ?? CONNECTED_APPS.unnamed;
}
