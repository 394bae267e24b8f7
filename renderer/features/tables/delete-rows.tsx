// Asks before rows are deleted.
import type { ReactElement } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { formatNumber } from '../../ui/format.ts'

export interface DeleteRowsProps {
  readonly isOpen: boolean
  readonly table: string
  readonly count: number
  readonly isBusy: boolean
  readonly onClose: () => void
  readonly onConfirm: () => Promise<void>
}

export function DeleteRows(props: DeleteRowsProps): ReactElement {
  const { isOpen, table, count, isBusy, onClose, onConfirm } = props
  const rows = `${formatNumber(count)} ${count === 1 ? 'row' : 'rows'}`
  return (
    <Dialog title={`Delete ${rows}?`} isOpen={isOpen} onClose={onClose}>
      <div className="flex flex-col gap-4">
        <p className="text-ink-dim">
          {rows} of <span className="font-mono text-ink">{table}</span> will be deleted, with what
          depends on them by <span className="font-mono">on delete cascade</span>. All of them or
          none.
        </p>
        <div className="flex justify-end gap-2">
          <Button tone="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button tone="danger" isBusy={isBusy} onClick={() => void onConfirm()}>
            Delete {rows}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
