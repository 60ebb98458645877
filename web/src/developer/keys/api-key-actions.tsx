import { ActionIcon, Button, Menu, NativeSelect } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { ApiKey, AuditEvent } from '#client';
import { FIXED_LIMITS } from '../../../../src/vocabulary/limits.ts';
import { apiKeys } from '../../api/api-keys.ts';
import { api } from '../../api/client.ts';
import { agoText } from '../../format/moments.ts';
import { CancelButton, ConfirmDialog, Dialog, DialogActions } from '../../parts/dialog.tsx';
import { Icon } from '../../parts/icon.tsx';
import { NameDialog } from '../../parts/name-dialog.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Problem } from '../../parts/page-states.tsx';
import { StatusBadge, type Tone } from '../../parts/status-badge.tsx';
import { API_KEYS } from '../../text/api-keys.ts';
import { DEVELOPER } from '../../text/developer.ts';
import classes from '../developer.module.css';
import { ApiKeySecret } from './api-key-secret.tsx';

interface RotateDialogProps {
  readonly apiKey: ApiKey;
  readonly busy: boolean;
  readonly error: unknown;
  readonly onConfirm: (grace: string) => void;
  readonly onClose: () => void;
}

const GRACES = Object.entries(API_KEYS.rotating.graces).map(([value, label]) => ({ value, label }));
/** Time enough to change a program's configuration, and no more than a day of two valid keys. */
const USUAL = '24h';

/** Asks how long the old key should keep working. */
function RotateDialog({ apiKey, busy, error, onConfirm, onClose }: RotateDialogProps) {
  const [grace, setGrace] = useState<string>(USUAL);
  const words = API_KEYS.rotating;
  return (
    <Dialog title={words.title(apiKey.name)} onClose={onClose}>
      <div className={classes.stack}>
        {error === null ? null : <Problem error={error} title={API_KEYS.failed.rotate(apiKey.name)} />}
        <p>{words.text}</p>
        <NativeSelect
          label={words.grace}
          value={grace}
          data={GRACES}
          onChange={({ currentTarget }) => setGrace(currentTarget.value)}
        />
      </div>
      <DialogActions>
        <CancelButton onClose={onClose} />
        <Button loading={busy} onClick={() => onConfirm(grace)}>
          {words.action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** Who created a key, in words; null if the audit log does not know it, or no longer. */
export function makerOf(
  { id }: Pick<ApiKey, 'id'>,
  makers: ReadonlyMap<string, AuditEvent['actor']> | undefined,
): string | null {
  const actor = makers?.get(id);
  if (actor === undefined) return null;
  if (actor.type === 'operator') return actor.name ?? API_KEYS.makers.operator;
  return actor.type === 'api_key' && actor.name !== null ? API_KEYS.makers.key(actor.name) : actor.name;
}

type Action = 'rename' | 'rotate' | 'revoke';

export interface ApiKeyActions {
  readonly start: (action: Action, key: ApiKey) => void;
  /** The result of the last action, for the top of the page. */
  readonly outcome: ReactNode;
  readonly dialog: ReactNode;
}

/** What can be done with API keys, and how it goes. */
export function useApiKeyActions(): ApiKeyActions {
  const queries = useQueryClient();
  const [asked, setAsked] = useState<{ readonly action: Action; readonly key: ApiKey } | null>(null);
  const [rotated, setRotated] = useState<{ readonly name: string; readonly secret: string } | null>(null);
  const onSuccess = () => setAsked(null);
  const onSettled = () => queries.invalidateQueries({ queryKey: [apiKeys.queryKey[0]] });
  const rename = useMutation({
    mutationFn: ({ key, name }: { key: ApiKey; name: string }) => api.apiKeys.update({ id: key.id, name }),
    onSuccess,
    onSettled,
  });
  const rotate = useMutation({
    mutationFn: async ({ key, grace }: { key: ApiKey; grace: string }) => {
      const { name, secret } = await api.apiKeys.rotate({ id: key.id, grace });
      if (secret !== null) setRotated({ name, secret });
    },
    onSuccess,
    onSettled,
  });
  const revoke = useMutation({
    mutationFn: ({ id }: ApiKey) => api.apiKeys.revoke({ id }),
    onSuccess,
    onSettled,
  });
  const close = () => setAsked(null);

  return {
    start: (action, key) => {
      for (const one of [rename, rotate, revoke]) one.reset();
      setAsked({ action, key });
    },
    outcome:
      rotated !== null ? (
        <ApiKeySecret
          title={API_KEYS.secret.rotated(rotated.name)}
          secret={rotated.secret}
          onDone={() => setRotated(null)}
        />
      ) : revoke.isSuccess ? (
        <Notice
          tone="good"
          title={API_KEYS.revoked(revoke.variables.name)}
          text={API_KEYS.revokedText}
          onClose={revoke.reset}
        />
      ) : null,
    dialog:
      asked === null ? null : asked.action === 'rename' ? (
        <NameDialog
          title={DEVELOPER.renameTitle(asked.key.name)}
          label={DEVELOPER.name}
          name={asked.key.name}
          maxLength={FIXED_LIMITS.key_name_characters}
          busy={rename.isPending}
          error={rename.error}
          failed={API_KEYS.failed.rename}
          onSave={(name) => rename.mutate({ key: asked.key, name })}
          onClose={close}
        />
      ) : asked.action === 'rotate' ? (
        <RotateDialog
          apiKey={asked.key}
          busy={rotate.isPending}
          error={rotate.error}
          onConfirm={(grace) => rotate.mutate({ key: asked.key, grace })}
          onClose={close}
        />
      ) : (
        <RevokeDialog
          apiKey={asked.key}
          busy={revoke.isPending}
          error={revoke.error}
          onConfirm={() => revoke.mutate(asked.key)}
          onClose={close}
        />
      ),
  };
}

interface RevokeDialogProps {
  readonly apiKey: ApiKey;
  readonly busy: boolean;
  readonly error: unknown;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** The consequences of revoking a key, shown before it is done. */
function RevokeDialog({ apiKey, busy, error, onConfirm, onClose }: RevokeDialogProps) {
  const words = API_KEYS.revoking;
  const { name, prefix, last_used_at: used } = apiKey;
  return (
    <ConfirmDialog
      title={words.title(name)}
      action={words.action}
      busy={busy}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      {error === null ? null : <Problem error={error} title={API_KEYS.failed.revoke(name)} />}
      <p>{words.does}</p>
      <ul className={classes.consequences}>
        <li>{words.stop(prefix)}</li>
        <li>{used === null ? words.unused : words.used(agoText(used))}</li>
        <li>{words.keep}</li>
      </ul>
    </ConfirmDialog>
  );
}

interface ApiKeyMenuProps {
  readonly apiKey: ApiKey;
  readonly actions: ApiKeyActions;
}

/** The actions that the state of the key allows. */
export function ApiKeyMenu({ apiKey, actions }: ApiKeyMenuProps) {
  const { status } = apiKey;
  return (
    <Menu position="bottom-end" width={180}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={DEVELOPER.actionsOf(apiKey.name)}>
          <Icon name="more" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => actions.start('rename', apiKey)}>{DEVELOPER.rename}</Menu.Item>
        {status === 'active' ? (
          <Menu.Item onClick={() => actions.start('rotate', apiKey)}>{API_KEYS.rotate}</Menu.Item>
        ) : null}
        {status === 'revoked' ? null : (
          <>
            <Menu.Divider />
            <Menu.Item color="red" onClick={() => actions.start('revoke', apiKey)}>
              {API_KEYS.revoke}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

const TONES: Readonly<Record<ApiKey['status'], Tone>> = {
  active: 'good',
  expiring: 'warn',
  revoked: 'idle',
  expired: 'idle',
};

export function ApiKeyStatus({ status }: Pick<ApiKey, 'status'>) {
  return <StatusBadge tone={TONES[status]}>{API_KEYS.status[status]}</StatusBadge>;
}
