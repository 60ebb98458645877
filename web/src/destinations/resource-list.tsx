import { Button, TextInput, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { DestinationResource } from '#client';
import type { TargetKind } from '../../../src/vocabulary/destination-kinds/kind.ts';
import { destinationResources } from '../api/destinations.ts';
import { Icon } from '../parts/icon.tsx';
import { Empty, LoadingRows, Problem } from '../parts/page-states.tsx';
import { TARGETS } from '../text/destination-targets.ts';
import { PROBLEMS } from '../text/problems.ts';
import classes from './destinations.module.css';

interface ResourceListProps {
  readonly destination: string;
  readonly kind: TargetKind;
  readonly parent?: string;
  readonly legend: string;
  readonly chosen: DestinationResource | null;
  /** The id of what the destination is aimed at now. */
  readonly current?: string | undefined;
  readonly onChoose: (resource: DestinationResource) => void;
  /** Choosing opens what is inside, so each is a button: with radio buttons, arrow keys would open it, too. */
  readonly leadsOn?: boolean;
}

const EXPECTED = 4;
const A_PAGE = 20;
/** Fewer than these are looked through faster than a search is typed. */
const WORTH_SEARCHING = 8;
const MOST_CHARACTERS = 200;

/** The choices at the vendor. Search and paging work on the list as read. */
export function ResourceList({
  destination,
  kind,
  parent,
  legend,
  chosen,
  current,
  onChoose,
  leadsOn = false,
}: ResourceListProps) {
  const sought = { type: kind, ...(parent !== undefined && { parent }) };
  const { data, error, refetch, isFetching } = useQuery(destinationResources(destination, sought));
  const [text, setText] = useState('');
  const [shown, setShown] = useState(A_PAGE);
  const group = useId();
  const words = TARGETS.kinds[kind];
  const again = (
    <Button variant="default" size="xs" loading={isFetching} onClick={() => refetch()}>
      {TARGETS.again}
    </Button>
  );
  if (data === undefined) {
    return error === null || isFetching ? (
      <LoadingRows count={EXPECTED} />
    ) : (
      <Problem error={error} title={TARGETS.listFailed(words.many)} again={refetch} />
    );
  }
  const { items, truncated } = data;
  if (items.length === 0) return <Empty title={words.none} text={words.noneText} action={again} />;
  const wanted = text.trim().toLocaleLowerCase();
  const found = items.filter(({ name }) => name.toLocaleLowerCase().includes(wanted));
  const nameOf = ({ id, name }: DestinationResource) => (
    <>
      <span className={classes.optionName}>{name}</span>
      {id === current ? <span className={classes.hint}>{TARGETS.current}</span> : null}
    </>
  );
  return (
    <fieldset className={classes.list}>
      <legend className={classes.legend}>{legend}</legend>
      {items.length < WORTH_SEARCHING ? null : (
        <TextInput
          type="search"
          aria-label={TARGETS.search(words.many)}
          placeholder={TARGETS.search(words.many)}
          leftSection={<Icon name="search" size={16} />}
          maxLength={MOST_CHARACTERS}
          value={text}
          onChange={({ currentTarget }) => {
            setText(currentTarget.value);
            setShown(A_PAGE);
          }}
        />
      )}
      <p className={classes.hint} role="status">
        {found.length === 0 ? TARGETS.unmatched : TARGETS.count(found.length, items.length)}
      </p>
      {found.length === 0 ? null : (
        <ul className={classes.options}>
          {found.slice(0, shown).map((item) => (
            <li key={item.id}>
              {leadsOn ? (
                <UnstyledButton className={classes.option ?? ''} onClick={() => onChoose(item)}>
                  {nameOf(item)}
                  <Icon name="chevron" size={16} />
                </UnstyledButton>
              ) : (
                <label className={classes.option}>
                  <input
                    type="radio"
                    name={group}
                    checked={chosen?.id === item.id}
                    onChange={() => onChoose(item)}
                  />
                  {nameOf(item)}
                </label>
              )}
            </li>
          ))}
        </ul>
      )}
      {truncated ? <p className={classes.hint}>{TARGETS.truncated(items.length)}</p> : null}
      <div className={classes.below}>
        {found.length > shown ? (
          <Button variant="default" size="xs" onClick={() => setShown(shown + A_PAGE)}>
            {PROBLEMS.showMore}
          </Button>
        ) : null}
        {again}
      </div>
    </fieldset>
  );
}
