import { Button } from '@mantine/core';
import { useState } from 'react';
import { Icon } from '../../parts/icon.tsx';
import { EXPORTS } from '../../text/exports.ts';
import { ExportDialog, type ExportDialogProps } from './export-dialog.tsx';

/** Opens the choice of a file with what is shown. */
export function ExportButton(props: Omit<ExportDialogProps, 'onClose'>) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="default"
        leftSection={<Icon name="download" size={16} />}
        disabled={props.read.rows === null}
        onClick={() => setOpen(true)}
      >
        {EXPORTS.action}
      </Button>
      {open ? <ExportDialog {...props} onClose={() => setOpen(false)} /> : null}
    </>
  );
}
