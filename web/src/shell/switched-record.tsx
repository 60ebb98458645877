import { useState } from 'react';
import { wasSwitched } from '../api/session.ts';
import { Notice } from '../parts/notice.tsx';
import { SHELL } from '../text/shell.ts';

const switched = wasSwitched();

/** Says that this tab was loaded anew, because another one switched to another account record. */
export function SwitchedRecord() {
  const [open, setOpen] = useState(switched);
  const { title, text } = SHELL.switched;
  return open ? <Notice tone="bad" title={title} text={text} onClose={() => setOpen(false)} /> : null;
}
