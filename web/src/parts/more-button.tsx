import { Button } from '@mantine/core';
import { PROBLEMS } from '../text/problems.ts';
import classes from './more-button.module.css';

interface MoreButtonProps {
  /** What an infinite query says of the pages after those that are there. */
  readonly list: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => unknown;
  };
}

/** The rest of a list, page by page. Nothing where there is no more. */
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
