import { Button } from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { CATEGORY_MAPPED_TYPES } from '../../../../src/vocabulary/destination-kinds.ts';
import { categoryMappings, syncs } from '../../api/syncs.ts';
import { PROBLEMS } from '../../text/problems.ts';
import { SYNC_FIELDS_TEXT } from '../../text/sync-settings.ts';
import type { EarlierMapping, Proposal, ProposalReason } from './proposals.ts';
import classes from './sync-fields.module.css';

const WORDS = SYNC_FIELDS_TEXT.proposals;

interface ProposedProps<T> {
  readonly count: number;
  /** The mappings as they are. */
  readonly now: readonly T[];
  /** With every proposal among them. */
  readonly accepted: readonly T[];
  readonly onChange: (mappings: readonly T[]) => void;
}

/**
 * Offers to set every proposal at once and, until something else changes, to take that back. Renders nothing if there
 * is none.
 */
export function Proposed<T>({ count, now, accepted, onChange }: ProposedProps<T>) {
  const [taken, setTaken] = useState<Taken<T> | null>(null);
  const set = taken !== null && JSON.stringify(taken.after) === JSON.stringify(now) ? taken : null;
  if (count === 0 && set === null) return null;
  const accept = () => {
    setTaken({ count, before: now, after: accepted });
    onChange(accepted);
  };
  return (
    <div className={classes.proposed}>
      <div role="status">
        <p className={classes.groupName}>{set === null ? WORDS.title(count) : WORDS.accepted(set.count)}</p>
        <p className={classes.hint}>{set === null ? WORDS.text : WORDS.acceptedText}</p>
      </div>
      <Button
        size="xs"
        variant={set === null ? 'filled' : 'default'}
        onClick={set === null ? accept : () => onChange(set.before)}
      >
        {set === null ? WORDS.accept : PROBLEMS.undo}
      </Button>
    </div>
  );
}

interface Taken<T> {
  readonly count: number;
  readonly before: readonly T[];
  readonly after: readonly T[];
}

/** What is proposed for one field, and why. */
export function proposalText(proposal: Proposal | undefined): string | undefined {
  return proposal === undefined ? undefined : WORDS.of(proposal.target.name, reasonText(proposal.reason));
}

function reasonText(reason: ProposalReason): string {
  switch (reason.by) {
    case 'history':
      return WORDS.history(reason.sync);
    case 'number':
      return WORDS.number(reason.digits);
    case 'own_category':
      return WORDS.own_category(reason.name);
    default:
      return WORDS[reason.by];
  }
}

/** Where other syncs put accounts. A destination takes one sync, so those to others are meant. */
export function useEarlierPlaces(destination: string): readonly EarlierMapping[] {
  const { data = [] } = useQuery(syncs);
  return data
    .filter((one) => one.destination.id !== destination)
    .flatMap(({ name, account_mappings: mappings }) =>
      mappings.flatMap(({ account, ...place }) => {
        const to = place.sheet_id ?? place.destination_account;
        const toName = place.sheet_name ?? place.destination_account_name ?? null;
        return account == null || to == null ? [] : [{ of: account, to, toName, sync: name }];
      }),
    );
}

/** As many other syncs as are asked about their categories. */
const MOST_ASKED = 3;

/** Which categories other syncs to budgeting apps map codes to. */
export function useEarlierCategories(destination: string): readonly EarlierMapping[] {
  const { data = [] } = useQuery(syncs);
  const others = data
    .filter(
      (one) => one.destination.id !== destination && CATEGORY_MAPPED_TYPES.includes(one.destination.type),
    )
    .slice(0, MOST_ASKED);
  const asked = useQueries({ queries: others.map(({ id }) => categoryMappings(id)) });
  return asked.flatMap(({ data: mappings = [] }, at) =>
    mappings.map((one) => ({
      of: one.provider_category,
      to: one.destination_category,
      toName: one.destination_category_name,
      sync: others[at]?.name ?? '',
    })),
  );
}
