// Describes statements that delete data permanently, and asks for confirmation before the console runs them.
import { TriangleAlert } from 'lucide-react'
import type { ReactElement } from 'react'
import { SqlBlock } from '../../parts/sql-text.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import type { Risk } from './risky-statements.ts'

export function ConfirmRun({
  risks,
  onRun,
  onTry,
  onClose,
}: {
  /** The statements to confirm. The dialog is closed while this list is empty. */
  readonly risks: readonly Risk[]
  readonly onRun: () => void
  /** Runs the script and rolls it back. */
  readonly onTry: () => void
  readonly onClose: () => void
}): ReactElement {
  return (
    <Dialog title="This cannot be undone" isOpen={risks.length > 0} onClose={onClose}>
      <ul className="flex flex-col gap-3">
        {risks.map((risk, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: statements have no id
          <li key={index} className="flex flex-col gap-1">
            <p className="flex items-start gap-2">
              <TriangleAlert aria-hidden="true" className="mt-[2px] size-4 shrink-0 text-refused" />
              {risk.sentence}
            </p>
            <SqlBlock sql={risk.sql} className="rounded-2 border bg-surface-0 px-2 py-1" />
          </li>
        ))}
      </ul>
      <div className="flex justify-end gap-2 pt-4">
        <Button tone="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button onClick={onTry}>Run and roll back</Button>
        <Button tone="danger" onClick={onRun}>
          Run anyway
        </Button>
      </div>
    </Dialog>
  )
}
