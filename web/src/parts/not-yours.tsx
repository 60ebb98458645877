import { ROLES } from '../text/roles.ts';
import { Empty } from './empty.tsx';

/** In place of a page, or a part of one, that is for owners. */
export function NotYours() {
  return <Empty title={ROLES.title} text={ROLES.text} />;
}
