import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { EventDestination } from '#client';
import { appUrl } from '../../api/app-url.ts';
import { api } from '../../api/client.ts';
import { eventDestinations } from '../../api/events.ts';
import { agoText } from '../../format/moments.ts';
import { SecretOnce } from '../../parts/copy-text.tsx';
import { ConfirmDialog } from '../../parts/dialog.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Problem } from '../../parts/page-states.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { useStillHere } from '../../parts/still-here.ts';
import { EVENT_DESTINATIONS } from '../../text/events.ts';
import { changesOf, type DestinationDraft, draftOf } from './event-destination-draft.ts';

type Question = 'disable' | 'rotate' | 'delete';

interface DestinationDialogProps {
  readonly question: Question;
  readonly name: string;
  readonly busy: boolean;
  readonly error: unknown;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

const WORDS = {
  disable: EVENT_DESTINATIONS.disabling,
  rotate: EVENT_DESTINATIONS.rotating,
  delete: EVENT_DESTINATIONS.deleting,
} as const;
const FAILED = {
  disable: EVENT_DESTINATIONS.failed.switch,
  rotate: () => EVENT_DESTINATIONS.failed.rotate,
  delete: EVENT_DESTINATIONS.failed.delete,
} as const;

/** What the step will do, before it is done. */
function DestinationDialog({ question, name, busy, error, onConfirm, onClose }: DestinationDialogProps) {
  const { title, text } = WORDS[question];
  return (
    <ConfirmDialog
      title={title(name)}
      action={EVENT_DESTINATIONS[question]}
      busy={busy}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      {error === null ? null : <Problem error={error} title={FAILED[question](name)} />}
      <p>{text}</p>
    </ConfirmDialog>
  );
}

interface DestinationActions {
  readonly ask: (question: Question) => void;
  readonly enable: () => void;
  readonly save: (draft: DestinationDraft) => void;
  readonly busy: boolean;
  /** The result of the last action, for the top of the page. */
  readonly outcome: ReactNode;
  readonly dialog: ReactNode;
}

/** What can be done with an event destination, and how it goes. */
export function useEventDestinationActions(
  destination: EventDestination,
  { onSaved, onDeleted }: { readonly onSaved: () => void; readonly onDeleted: () => void },
): DestinationActions {
  const { id, name } = destination;
  const queries = useQueryClient();
  const [asked, setAsked] = useState<Question | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const onSettled = () => queries.invalidateQueries({ queryKey: eventDestinations.queryKey });
  const onSuccess = () => setAsked(null);
  const turn = useMutation({
    mutationFn: (to: 'enable' | 'disable') => api.eventDestinations[to]({ id }),
    onSuccess,
    onSettled,
  });
  const save = useMutation({
    mutationFn: (draft: DestinationDraft) =>
      api.eventDestinations.update({ id, ...changesOf(draftOf(destination), draft) }),
    onSuccess: onSaved,
    onSettled,
  });
  const rotate = useMutation({
    mutationFn: async () => {
      const { webhook_endpoint: endpoint } = await api.eventDestinations.rotateSecret({ id });
      setSecret(endpoint.signing_secret);
    },
    onSuccess,
    onSettled,
  });
  const stillHere = useStillHere();
  const remove = useMutation({
    mutationFn: () => api.eventDestinations.delete({ id }),
    onMutate: stillHere,
    onSuccess: (_, _asked, isHere) => {
      queries.removeQueries({ queryKey: [...eventDestinations.queryKey, id] });
      if (isHere()) onDeleted();
    },
    onSettled,
  });
  const { failed, secret: words } = EVENT_DESTINATIONS;
  const all = [turn, save, rotate, remove];
  const start = (action: () => void) => () => {
    for (const one of all) one.reset();
    action();
  };
  return {
    ask: (question) => start(() => setAsked(question))(),
    enable: start(() => turn.mutate('enable')),
    save: (draft) => start(() => save.mutate(draft))(),
    busy: all.some(({ isPending }) => isPending),
    outcome:
      secret !== null ? (
        <SigningSecret
          title={words.rotated}
          text={words.rotatedText}
          secret={secret}
          onDone={() => setSecret(null)}
        />
      ) : asked === null && turn.error !== null ? (
        <Problem error={turn.error} title={failed.switch(name)} />
      ) : save.error !== null ? (
        <Problem error={save.error} title={failed.save} />
      ) : turn.isSuccess ? (
        <Notice
          tone="good"
          title={EVENT_DESTINATIONS[turn.variables === 'enable' ? 'enabled' : 'disabled'](name)}
          text={EVENT_DESTINATIONS[turn.variables === 'enable' ? 'enabledText' : 'disabledText']}
          onClose={turn.reset}
        />
      ) : save.isSuccess ? (
        <Notice
          tone="good"
          title={EVENT_DESTINATIONS.saved(name)}
          text={EVENT_DESTINATIONS.savedText}
          onClose={save.reset}
        />
      ) : null,
    dialog:
      asked === null ? null : (
        <DestinationDialog
          question={asked}
          name={name}
          busy={turn.isPending || rotate.isPending || remove.isPending}
          error={{ disable: turn, rotate, delete: remove }[asked].error}
          onConfirm={() =>
            ({ disable: () => turn.mutate('disable'), rotate: rotate.mutate, delete: remove.mutate })[asked]()
          }
          onClose={() => setAsked(null)}
        />
      ),
  };
}

interface SigningSecretProps {
  readonly title: string;
  readonly text: string;
  readonly secret: string;
  readonly onDone: () => void;
}

export function SigningSecret({ title, text, secret, onDone }: SigningSecretProps) {
  const words = EVENT_DESTINATIONS.secret;
  return (
    <SecretOnce
      title={title}
      text={text}
      label={words.label}
      secret={secret}
      done={words.done}
      onDone={onDone}
    >
      <p>
        <a href={appUrl('docs/receiving-events#verify').href} target="_blank" rel="noreferrer">
          {words.guide}
        </a>
      </p>
    </SecretOnce>
  );
}

export function EventDestinationStatus({ destination }: { readonly destination: EventDestination }) {
  const { status, disabled_reason: reason, failing_since: failing } = destination;
  if (status === 'disabled') {
    return (
      <StatusBadge tone={reason === 'owner' ? 'idle' : 'bad'}>
        {EVENT_DESTINATIONS.status.disabled}
      </StatusBadge>
    );
  }
  return failing === null ? (
    <StatusBadge tone="good">{EVENT_DESTINATIONS.status.enabled}</StatusBadge>
  ) : (
    <StatusBadge tone="warn">{EVENT_DESTINATIONS.failing(agoText(failing))}</StatusBadge>
  );
}
