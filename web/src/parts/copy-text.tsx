import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { PROBLEMS } from '../text/problems.ts';
import classes from './copy-text.module.css';
import { Icon } from './icon.tsx';

interface CopyTextProps {
  /** What the text is, for those who hear the page. */
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
