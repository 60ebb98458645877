import { ActionIcon, VisuallyHidden } from '@mantine/core';
import { PROBLEMS } from '../text/problems.ts';
import { Icon } from './icon.tsx';
import classes from './notice.module.css';

interface NoticeProps {
  readonly tone: 'good' | 'bad';
  readonly title: string;
  readonly text: string;
  readonly onClose: () => void;
}

/** What has just happened. It is announced once, and stays until it is dismissed. */
export function Notice({ tone, title, text, onClose }: NoticeProps) {
  return (
    <div className={`${classes.notice} ${classes[tone]}`} role={tone === 'bad' ? 'alert' : 'status'}>
      <Icon name={tone === 'bad' ? 'warning' : 'check'} size={20} />
      <div className={classes.words}>
        <p className={classes.title}>{title}</p>
        <p className={classes.text}>{text}</p>
      </div>
      <ActionIcon variant="transparent" color="gray" aria-label={PROBLEMS.dismiss} onClick={onClose}>
        <Icon name="close" />
      </ActionIcon>
    </div>
  );
}

/** Announces to screen readers what others see happen. */
export function Announcement({ children }: { readonly children: string }) {
  return (
    <VisuallyHidden role="status" aria-live="assertive">
      {children}
    </VisuallyHidden>
  );
}
