import { useState } from 'react';
import { FIXED_LIMITS } from '../../../../src/vocabulary/limits.ts';
import { NameDialog } from '../../parts/dialog.tsx';
import { Check } from '../../parts/fields.tsx';
import { SIMPLEFIN } from '../../text/apps.ts';
import type { ProgramFields } from './programs.ts';

interface ProgramDialogProps {
  readonly title: string;
  /** What it is so far. */
  readonly program: ProgramFields;
  readonly busy: boolean;
  /** Why it was not saved, or null. */
  readonly error: unknown;
  readonly failed: string;
  readonly action?: string;
  readonly onSave: (program: ProgramFields) => void;
  readonly onClose: () => void;
}

/** Asks what a program is called, what it is sent and how. */
export function ProgramDialog({ program, onSave, ...dialog }: ProgramDialogProps) {
  const [two_decimals, setTwoDecimals] = useState(program.two_decimals);
  const [leave_out_extra, setLeaveOutExtra] = useState(program.leave_out_extra);
  return (
    <NameDialog
      {...dialog}
      label={SIMPLEFIN.name}
      name={program.name}
      maxLength={FIXED_LIMITS.key_name_characters}
      onSave={(name) => onSave({ name, two_decimals, leave_out_extra })}
    >
      <Check
        label={SIMPLEFIN.twoDecimals.label}
        hint={SIMPLEFIN.twoDecimals.hint}
        checked={two_decimals}
        onChange={setTwoDecimals}
      />
      <Check
        label={SIMPLEFIN.leaveOutExtra.label}
        hint={SIMPLEFIN.leaveOutExtra.hint}
        checked={leave_out_extra}
        onChange={setLeaveOutExtra}
      />
    </NameDialog>
  );
}
