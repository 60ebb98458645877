import { Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, ReactNode, Ref } from 'react';
import { PROBLEMS } from '../text/problems.ts';
import classes from './rows.module.css';

interface AnchorProps
  extends ButtonProps,
    Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof ButtonProps | 'children'> {
  readonly ref?: Ref<HTMLAnchorElement>;
  readonly children?: ReactNode;
}

function Anchor(props: AnchorProps) {
  return <Button component="a" {...props} />;
}

/** A link to a page of the application that looks like a button. Its parameters are checked as those of `Link` are. */
export const LinkButton = createLink(Anchor);

interface MoreButtonProps {
  /** The part of an infinite query about further pages. */
  readonly list: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => unknown;
  };
}

/** Loads the rest of a list, page by page. Renders nothing if there is no more. */
export function MoreButton({ list }: MoreButtonProps) {
  if (!list.hasNextPage) return null;
  return (
    <div className={classes.more}>
      <Button variant="default" loading={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
        {PROBLEMS.showMore}
      </Button>
    </div>
  );
}
