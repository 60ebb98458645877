import { Button } from '@mantine/core';
import type { ClaimedCategory } from '../../api/categories.ts';
import { DialogActions } from '../../parts/dialog.tsx';
import { CATEGORY_CHANGE } from '../../text/category-change.ts';
import { PROBLEMS } from '../../text/problems.ts';
import { codeLabel } from './code-label.ts';
import { Done } from './done.tsx';

interface ClaimOutcomeProps {
  readonly category: ClaimedCategory;
  readonly code: string;
  readonly onClose: () => void;
}

/** What a claim has changed. */
export function ClaimOutcome({ category, code, onClose }: ClaimOutcomeProps) {
  return (
    <>
      <Done
        title={CATEGORY_CHANGE.claimDone}
        text={CATEGORY_CHANGE.claimDoneText(codeLabel(code), category.name)}
      />
      <DialogActions>
        <Button onClick={onClose}>{PROBLEMS.close}</Button>
      </DialogActions>
    </>
  );
}
