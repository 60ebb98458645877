import { LoadingRows } from '../../parts/loading-rows.tsx';
import classes from './connections.module.css';

const ROWS = 3;

/** As high as a connection with two accounts. */
export function LoadingCards() {
  return (
    <div className={classes.card}>
      <LoadingRows count={ROWS} />
    </div>
  );
}
