// Shows the verdicts of several identities on each row, side by side. Selecting a cell opens its X-ray.
import type { ReactElement } from 'react'
import { ROW_COMMANDS } from '../../../emulator/contract/choices.ts'
import type { VerdictMatrix } from '../../../emulator/contract/explain.ts'
import type { RowCommand } from '../../../emulator/contract/values.ts'
import { useIdentities, useVerdictMatrix } from '../../api/explain.ts'
import { identityText } from '../../parts/identity-text.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { VerdictGrid } from '../../parts/verdict-grid.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { countOf, plainOptionsOf } from '../../ui/form-values.ts'
import { formatDuration, formatNumber } from '../../ui/format.ts'
import { Select } from '../../ui/select.tsx'
import { SheetLayout } from '../../ui/sheet.tsx'
import { Toolbar } from '../../ui/toolbar.tsx'
import { type JudgedIdentity, judgedIdentities, MATRIX_ROWS } from './judged-identities.ts'
import { EMPTY } from './texts.ts'
import type { PoliciesAddress } from './use-policies-address.ts'
import { XRaySheet } from './x-ray-sheet.tsx'

type Asked = Exclude<RowCommand, 'insert'>

// The commands without INSERT, because an INSERT has no existing rows to judge.
const COMMANDS = plainOptionsOf(ROW_COMMANDS.filter((command) => command !== 'insert'))
const MAX_USERS = 46

export function MatrixView(props: {
  readonly address: PoliciesAddress
  readonly table: string
}): ReactElement {
  const { address, table } = props
  const { tenant } = address
  const command: Asked = address.command === 'insert' ? 'select' : address.command
  const choices = useIdentities(tenant)
  // The acting identity gets no column of its own. A click on a cell changes the acting identity, and must not move the columns.
  const judged = choices.data === undefined ? [] : judgedIdentities(choices.data, null, MAX_USERS)
  const matrix = useVerdictMatrix(
    tenant,
    judged.length === 0
      ? undefined
      : {
          relation: table,
          command,
          identities: judged.map(({ reference }) => reference),
          limit: MATRIX_ROWS,
        },
  )
  return (
    <SheetLayout sheet={<XRaySheet address={address} table={table} command={command} />}>
      <Toolbar
        label="Command"
        actions={
          matrix.data && (
            <span className="text-ink-dim tabular-nums">
              {formatNumber(matrix.data.rows.length)} of {countOf(matrix.data.total, 'row')} ×{' '}
              {countOf(matrix.data.identities.length, 'identity', 'identities')} ·{' '}
              {formatDuration(matrix.data.duration_ms)}
            </span>
          )
        }
      >
        <span className="text-ink-dim">Who may</span>
        <Select label="Command" isMono value={command} options={COMMANDS} onChange={address.ask} />
        <span className="text-ink-dim">which row?</span>
      </Toolbar>
      <Loaded
        query={choices.error === null ? matrix : { ...choices, data: undefined }}
        what="the decisions"
        lines={12}
      >
        {(loaded) => <Grid address={address} command={command} matrix={loaded} judged={judged} />}
      </Loaded>
    </SheetLayout>
  )
}

function Grid(props: {
  readonly address: PoliciesAddress
  readonly command: Asked
  readonly matrix: VerdictMatrix
  /** The identities of the matrix, in the order of its columns. */
  readonly judged: readonly JudgedIdentity[]
}): ReactElement {
  const { address, command, judged, matrix } = props
  const { identity, openRow, search } = address
  if (matrix.rows.length === 0) return <EmptyState {...EMPTY.rows} />
  return (
    <VerdictGrid
      matrix={{
        ...matrix,
        identities: matrix.identities.map((found, position) => ({
          ...found,
          label: judged[position]?.label ?? found.label,
        })),
      }}
      command={command}
      open={
        search.row === undefined || identity === undefined
          ? undefined
          : {
              row: search.row,
              identity: judged.findIndex(({ reference }) => identityText(reference) === search.as),
            }
      }
      onOpen={(row, position) => {
        const reference = judged[position]?.reference
        if (reference !== undefined) openRow(row, reference)
      }}
    />
  )
}
