import { Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, ReactNode, Ref } from 'react';

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
