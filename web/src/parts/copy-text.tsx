import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { PROBLEMS } from '../text/problems.ts';
import classes from './copy-text.module.css';
import { Icon } from './icon.tsx';

interface CopyTextProps {
  /** The label of the text for screen readers. */
  readonly label: string;
  readonly text: string;
}

/** A text to take elsewhere: a secret, an address, a command. Lines stay as they are. */
export function CopyText({ label, text }: CopyTextProps) {
  const { copied, copy } = useClipboard();
  return (
    <div className={classes.copy}>
      <pre className={classes.text}>{text}</pre>
      <Button
        size="xs"
        variant="default"
        leftSection={<Icon name={copied ? 'check' : 'copy'} size={14} />}
        aria-label={`${PROBLEMS.copy}: ${label}`}
        onClick={() => copy(text)}
      >
        <span aria-live="polite">{copied ? PROBLEMS.copied : PROBLEMS.copy}</span>
      </Button>
    </div>
  );
}

interface SecretOnceProps {
  readonly title: string;
  /** A note that it is shown once, and what to do with it. */
  readonly text: string;
  readonly label: string;
  readonly secret: string;
  readonly done: string;
  readonly onDone: () => void;
  readonly children?: ReactNode;
}

/**
 * A secret that cannot be shown again. It stays until the person confirms that they have saved it, whereas a dialog can
 * be closed by mistake. The component keeps the secret only in its own state, so that it does not outlive the page in a
 * query or mutation cache, an address or storage.
 */
export function SecretOnce({ title, text, label, secret, done, onDone, children }: SecretOnceProps) {
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus();
    // What had the focus goes with the secret, so the page takes it back.
    return () => document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
  }, []);
  return (
    <section className={classes.once} aria-labelledby={id}>
      <h2 className={classes.title} id={id} tabIndex={-1} ref={heading}>
        {title}
      </h2>
      <p className={classes.secret}>{text}</p>
      <div>
        <p className={classes.label}>{label}</p>
        <CopyText label={label} text={secret} />
      </div>
      {children}
      <div>
        <Button onClick={onDone}>{done}</Button>
      </div>
    </section>
  );
}
