// Shows what the undo of a request would change, or what prevents it. Then undoes the request and shows the result.

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { TriangleAlert } from 'lucide-react'
import type { ReactElement } from 'react'
import type { Undo, UndoConflict } from '../../../emulator/contract/history.ts'
import { undoRequest, useUndoPreview } from '../../api/history.ts'
import { reloadRows } from '../../api/row-reloads.ts'
import { ChangedRow, RowLink } from '../../parts/history/changed-row.tsx'
import { FirstItems } from '../../parts/history/first-items.tsx'
import { useColumnKinds } from '../../parts/history/use-column-kinds.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { SqlBlock } from '../../parts/sql-text.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useFocusReturn } from '../../ui/focus-return.ts'
import { Form } from '../../ui/form.tsx'
import { countOf } from '../../ui/form-values.ts'
import { middleTruncate } from '../../ui/truncate.ts'

export interface UndoRequestProps {
  readonly tenant: string
  readonly requestId: string
  readonly onClose: () => void
}

export function UndoRequestDialog(props: UndoRequestProps): ReactElement {
  useFocusReturn()
  return (
    <Dialog title="Undo request" isOpen width="wide" onClose={props.onClose}>
      <UndoRequest {...props} />
    </Dialog>
  )
}

function UndoRequest({ tenant, requestId, onClose }: UndoRequestProps): ReactElement {
  const queries = useQueryClient()
  const { data, error, isPending, mutate } = useMutation({
    mutationFn: () => undoRequest(tenant, requestId),
    onSuccess: ({ is_applied }) => {
      if (is_applied) reloadRows(queries, tenant)
    },
  })
  const preview = useUndoPreview(tenant, requestId, data === undefined)
  if (data?.is_applied === true) return <Undone tenant={tenant} undo={data} onClose={onClose} />
  return (
    <Loaded query={data === undefined ? preview : { ...preview, data }} what="the preview">
      {(undo) => (
        <Form
          form={{ isReady: undo.is_possible, isSending: isPending, error, submit: mutate }}
          action={undo.changes === 0 ? 'Undo request' : `Undo ${countOf(undo.changes, 'change')}`}
          failure="Could not undo the request"
          onCancel={onClose}
        >
          {undo.is_possible ? (
            <>
              <p className="text-ink-dim">
                The owner writes the earlier values back in one transaction. The history records the
                undo like any other change.
              </p>
              <UndoneRows
                tenant={tenant}
                undo={undo}
                title="Rows that will change"
                values="present → restored values"
              />
              {undo.notes.map((note) => (
                <p key={note} className="text-ink-dim">
                  {note}
                </p>
              ))}
            </>
          ) : (
            <Conflicts tenant={tenant} conflicts={undo.conflicts} />
          )}
          {undo.sql !== '' && (
            <details>
              <summary className="w-max text-small text-ink-dim">SQL</summary>
              <SqlBlock
                sql={undo.sql}
                isScrolling
                className="mt-2 max-h-48 rounded-2 border bg-surface-0 px-2 py-1 text-small"
              />
            </details>
          )}
        </Form>
      )}
    </Loaded>
  )
}

function Conflicts(props: {
  readonly tenant: string
  readonly conflicts: readonly UndoConflict[]
}): ReactElement {
  const { conflicts, tenant } = props
  return (
    <div
      role="alert"
      className="flex min-w-0 items-start gap-3 rounded-2 border border-refused/40 bg-refused/5 p-3"
    >
      <TriangleAlert className="mt-[2px] size-4 shrink-0 text-refused" />
      <div className="flex min-w-0 flex-1 flex-col gap-2">
        <p className="font-strong">The changes can’t be undone</p>
        <ul aria-label="Conflicts" className="flex min-w-0 flex-col gap-2">
          {conflicts.map(({ key, message, request_id: request, sequence, table }) => (
            <li key={`${sequence} ${message}`} className="flex min-w-0 flex-col">
              <p className="break-words">{message}</p>
              <p className="flex min-w-0 flex-wrap gap-x-4 empty:hidden">
                {table !== null && <RowLink tenant={tenant} table={table} rowKey={key} />}
                {request !== null && (
                  <Link
                    to="/requests/$requestId"
                    params={{ requestId: request }}
                    title={request}
                    className="text-accent hover:underline"
                  >
                    Open request <span className="font-mono">{middleTruncate(request, 16)}</span>
                  </Link>
                )}
              </p>
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}

function UndoneRows(props: {
  readonly tenant: string
  readonly undo: Undo
  readonly title: string
  /** Names both sides of the values. */
  readonly values: string
}): ReactElement {
  const { tenant, title, undo, values } = props
  const { rows, rows_left_out: leftOut } = undo
  const kinds = useColumnKinds(rows.length > 0 ? tenant : undefined)
  if (rows.length === 0)
    return (
      <p className="text-ink-dim">
        The changes cancel each other out, so the undo changes no rows.
      </p>
    )
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <h3 className="text-small text-ink-dim">
        {title}: {values}
      </h3>
      <FirstItems
        label={title}
        items={rows}
        many="rows"
        rest={leftOut > 0 ? `${countOf(leftOut, 'more row')} not listed.` : undefined}
      >
        {({ action, columns, key, table }) => (
          <ChangedRow
            key={`${table} ${JSON.stringify(key)} ${action}`}
            tenant={tenant}
            kind={action}
            table={table}
            rowKey={key}
            columns={columns}
            kinds={kinds}
          />
        )}
      </FirstItems>
    </div>
  )
}

function Undone(props: {
  readonly tenant: string
  readonly undo: Undo
  readonly onClose: () => void
}): ReactElement {
  const { onClose, tenant, undo } = props
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <p role="status">
        {undo.changes === 0
          ? 'There was nothing to undo.'
          : `${countOf(undo.changes, 'change')} undone.`}
      </p>
      <UndoneRows
        tenant={tenant}
        undo={undo}
        title="Restored rows"
        values="undone → restored values"
      />
      <div className="flex justify-end">
        {/* The pressed button is gone, so that the focus would leave the dialog. */}
        <Button tone="primary" ref={focus} onClick={onClose}>
          Close
        </Button>
      </div>
    </div>
  )
}

function focus(button: HTMLButtonElement | null): void {
  button?.focus()
}
