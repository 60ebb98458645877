import { useEffect, useRef } from 'react';
import { Icon } from '../parts/icon.tsx';
import classes from './transactions.module.css';

/** What was done, in place of the form. It takes the focus, which the form has lost. */
export function Done({ title, text }: { readonly title: string; readonly text: string }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <div className={classes.done} role="status" tabIndex={-1} ref={box}>
      <Icon name="check" size={20} />
      <div>
        <p className={classes.title}>{title}</p>
        <p className={classes.text}>{text}</p>
      </div>
    </div>
  );
}
