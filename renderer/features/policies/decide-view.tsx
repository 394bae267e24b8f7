// Shows the verdict on every row for one identity and one command. Selecting a row opens its X-ray.
import { type ReactElement, useMemo } from 'react'
import type { Explanation, RowVerdict } from '../../../emulator/contract/explain.ts'
import type { IdentityReference } from '../../../emulator/contract/identities.ts'
import type { TableColumn } from '../../../emulator/contract/tables.ts'
import { useExplanation } from '../../api/explain.ts'
import type { Answered } from '../../api/first-answer.ts'
import { useTableStructure } from '../../api/tables.ts'
import { absenceOnInsert } from '../../parts/cell-field.tsx'
import { isRightAligned, kindOfType } from '../../parts/cell-kind.ts'
import { CellValue } from '../../parts/cell-value.tsx'
import { longestTexts, mostOf, widthOf } from '../../parts/column-widths.ts'
import { MeasuredFix } from '../../parts/fixes/measured-fix.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { MOST_ROWS } from '../../parts/most-rows.ts'
import { RowForm } from '../../parts/row-form.tsx'
import { rowKeyText } from '../../parts/row-key.ts'
import { TruthMark } from '../../parts/truth-mark.tsx'
import { verdictWord } from '../../parts/verdict-words.ts'
import { WhyPanel } from '../../parts/why-panel.tsx'
import { cx } from '../../ui/cx.ts'
import { DataGrid, type GridColumn } from '../../ui/data-grid.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { SheetLayout } from '../../ui/sheet.tsx'
import { Splitter } from '../../ui/splitter.tsx'
import { DecideToolbar } from './decide-toolbar.tsx'
import { EMPTY } from './texts.ts'
import type { PoliciesAddress } from './use-policies-address.ts'
import { XRaySheet } from './x-ray-sheet.tsx'

export interface DecideViewProps {
  readonly address: PoliciesAddress
  readonly table: string
}

/** Loads how the policies decide on the rows. Loads nothing while `table` is undefined. */
export function useDecisions(
  { tenant, identity, command, search }: PoliciesAddress,
  table: string | undefined,
): Answered<Explanation> {
  return useExplanation(
    tenant,
    table === undefined || identity === undefined || command === 'insert'
      ? undefined
      : {
          relation: table,
          identity,
          command,
          limit: MOST_ROWS,
          detail: 'verdicts',
          ...(search.set === undefined ? {} : { new_row: search.set }),
        },
  )
}

export function DecideView({ address, table }: DecideViewProps): ReactElement {
  const { tenant, identity, command } = address
  const structure = useTableStructure(tenant, table)
  const answer = useDecisions(address, table)
  const columns = structure.data?.columns ?? []
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <DecideToolbar
        address={address}
        columns={columns}
        explanation={command === 'insert' ? undefined : answer.data}
      />
      {identity === undefined ? (
        <EmptyState {...EMPTY.identity} />
      ) : command === 'insert' ? (
        <InsertView address={address} identity={identity} table={table} columns={columns} />
      ) : (
        <Loaded query={answer} what="the decisions" lines={12}>
          {(explanation) => <Verdicts address={address} table={table} explanation={explanation} />}
        </Loaded>
      )}
    </div>
  )
}

function Verdicts(props: DecideViewProps & { readonly explanation: Explanation }): ReactElement {
  const { address, table, explanation } = props
  const { tenant, command, identity, search } = address
  const { suggested_fix: fix, sentence, verdict } = explanation.table
  const columns = useMemo(() => verdictColumns(explanation), [explanation])
  return (
    <SheetLayout
      sheet={<XRaySheet address={address} table={table} command={command} newRow={search.set} />}
    >
      {verdict !== 'policies_decide' && (
        <div className="grid gap-2 border-b bg-surface-1 px-4 py-2">
          <p>{sentence}</p>
          {fix !== null && identity !== undefined && (
            <MeasuredFix tenant={tenant} sql={fix} of={{ relation: table, identity, command }} />
          )}
        </div>
      )}
      <DataGrid<RowVerdict>
        label={`Verdicts for the rows of ${table}`}
        name={`verdicts.${tenant}.${table}`}
        columns={columns}
        rows={explanation.rows}
        rowKey={({ key }) => rowKeyText(key)}
        selected={search.row}
        onSelect={(key) => address.openRow(key)}
        isHidden={({ allowed }) => !allowed}
        isFirst
        empty={<EmptyState {...EMPTY.rows} />}
      />
    </SheetLayout>
  )
}

interface InsertViewProps {
  readonly address: PoliciesAddress
  readonly identity: IdentityReference
  readonly table: string
  readonly columns: readonly TableColumn[]
}

/** Shows the form for a new row, with the verdict of the check clauses. */
function InsertView(props: InsertViewProps): ReactElement {
  const { address, identity, table, columns } = props
  const { tenant, search, write } = address
  return (
    <Splitter
      label="Resize the form for the new row"
      name="insert"
      initial={420}
      min={280}
      first={
        <RowForm
          key={columns.length}
          columns={columns}
          initial={search.set ?? {}}
          absent={absenceOnInsert}
          action="Evaluate policies"
          onSubmit={write}
        />
      }
      second={
        <div className="min-h-0 flex-1 overflow-auto">
          {search.set === undefined ? (
            <EmptyState {...EMPTY.insert} />
          ) : (
            <WhyPanel
              tenant={tenant}
              question={{ relation: table, identity, command: 'insert', newRow: search.set }}
            />
          )}
        </div>
      }
    />
  )
}

/** Number of columns in the list. The sheet shows all columns. */
const COLUMNS_SHOWN = 5

/** Number of rows whose values determine the widths of the columns. */
const SAMPLE = 50

function verdictColumns({
  columns,
  command,
  rows,
}: Explanation): readonly GridColumn<RowVerdict>[] {
  const shown = columns
    .slice(0, COLUMNS_SHOWN)
    .map(({ name, type }) => ({ name, type, choices: null, marks: 0 }))
  const longest = longestTexts(
    shown,
    rows.slice(0, SAMPLE).map(({ row }) => row),
  )
  return [
    {
      id: 'verdict',
      header: 'verdict',
      width: 132,
      render: ({ allowed }) => (
        <span
          className={cx(
            'inline-flex items-center gap-2',
            allowed ? 'text-allowed' : 'text-refused',
          )}
        >
          <TruthMark value={allowed ? 'true' : 'false'} label="" />
          {verdictWord(command, allowed)}
        </span>
      ),
    },
    {
      id: 'reason',
      header: 'reason',
      min: 260,
      render: ({ reason }) => <span title={reason}>{reason}</span>,
    },
    ...shown.map((column): GridColumn<RowVerdict> => {
      const { name, type } = column
      const kind = kindOfType(type, null)
      return {
        id: name,
        header: name,
        isMono: true,
        width: widthOf(column, longest.get(name)),
        most: mostOf(column, longest.get(name)),
        align: isRightAligned(kind) ? 'end' : 'start',
        render: ({ row }) => <CellValue kind={kind} value={row[name] ?? null} />,
      }
    }),
  ]
}
