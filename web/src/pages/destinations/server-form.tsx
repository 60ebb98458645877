import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Destination } from '#client';
import { DESTINATION_KINDS } from '../../../../src/vocabulary/destination-kinds.ts';
import { api } from '../../api/client.ts';
import { destinations } from '../../api/destinations.ts';
import { CopyText } from '../../parts/copy-text.tsx';
import { PATHS } from '../../routing/paths.ts';
import { NEW_DESTINATION } from '../../text/new-destination.ts';
import classes from './destinations.module.css';
import { SecretForm } from './secret-form.tsx';

/** Of docs/destination-services.md#postgres */
const PREPARE = `create role tributary login password '…';
create schema money authorization tributary;
alter role tributary set search_path = money;`;

/** Connects a server of the person's own with its address and credentials. */
export function ServerForm({ type }: Pick<Destination, 'type'>) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { connect, connectFailed, postgres } = NEW_DESTINATION;
  return (
    <div className={classes.form}>
      {DESTINATION_KINDS[type].secret === 'connection_address' ? (
        <div className={classes.stack}>
          <h3 className={classes.subtitle}>{postgres.prepare}</h3>
          <p className={classes.muted}>{postgres.prepareHint}</p>
          <CopyText label={postgres.prepare} text={PREPARE} />
        </div>
      ) : null}
      <SecretForm
        type={type}
        action={connect}
        failed={connectFailed(DESTINATION_KINDS[type].texts.name)}
        save={(secret) => api.destinations.create({ type, secret })}
        onDone={({ id }) => {
          queries.invalidateQueries({ queryKey: destinations.queryKey });
          return navigate({ to: PATHS.destination, params: { id }, replace: true });
        }}
      />
    </div>
  );
}
