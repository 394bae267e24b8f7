// Shows one result as a grid of Postgres's texts with the selected row beside the grid.
import { Download } from 'lucide-react'
import { type ReactElement, useCallback, useMemo, useState } from 'react'
import type { SqlResult } from '../../../emulator/contract/sql-console.ts'
import { type CellKind, editableText, isRightAligned, kindOfType } from '../../parts/cell-kind.ts'
import { CellValue } from '../../parts/cell-value.tsx'
import { saveFile } from '../../parts/save-file.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { DataGrid, type GridColumn } from '../../ui/data-grid.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { formatNumber } from '../../ui/format.ts'
import { Menu } from '../../ui/menu.tsx'
import { Section, Sheet, SheetLayout } from '../../ui/sheet.tsx'
import { csvOf, jsonOf } from './export-result.ts'

type Row = SqlResult['rows'][number]

const WIDTHS: Readonly<Partial<Record<CellKind, number>>> = {
  uuid: 280,
  timestamp: 220,
  number: 110,
  boolean: 90,
  date: 110,
}

export function ResultView(props: { readonly result: SqlResult }): ReactElement {
  const { result } = props
  const [open, setOpen] = useState<string>()
  const close = useCallback(() => setOpen(undefined), [])
  const columns = useMemo(() => columnsOf(result), [result])
  if (result.columns.length === 0)
    return <EmptyState title={result.command_tag} detail="The statement returned no rows." />
  const row = open === undefined ? undefined : result.rows[Number(open)]
  return (
    <>
      <SheetLayout
        sheet={
          row === undefined ? undefined : (
            <RowSheet result={result} row={row} number={Number(open) + 1} onClose={close} />
          )
        }
      >
        <DataGrid
          label="Result"
          columns={columns}
          rows={result.rows}
          rowKey={keyOf}
          selected={open}
          onSelect={setOpen}
          empty={<EmptyState title="The query returned no rows" />}
        />
      </SheetLayout>
      {result.rows_left_out > 0 && (
        <p
          role="note"
          className="shrink-0 border-t bg-changed/10 px-4 py-1 text-small text-changed"
        >
          Shows the first {formatNumber(result.rows.length)} rows.{' '}
          {formatNumber(result.rows_left_out)} more were not loaded.
        </p>
      )}
    </>
  )
}

export function ExportButtons({ result }: { readonly result: SqlResult }): ReactElement {
  return (
    <Menu
      align="end"
      trigger={
        <Button size="small" icon={<Download />}>
          Export
        </Button>
      }
      items={[
        {
          label: 'Export as CSV',
          onSelect: () => saveFile('result.csv', new Blob([csvOf(result)], { type: 'text/csv' })),
        },
        {
          label: 'Export as JSON',
          onSelect: () =>
            saveFile('result.json', new Blob([jsonOf(result)], { type: 'application/json' })),
        },
      ]}
    />
  )
}

function columnsOf({ columns }: SqlResult): readonly GridColumn<Row>[] {
  return columns.map(({ name, type }, index) => {
    const kind = kindOfType(type, null)
    const width = WIDTHS[kind]
    const head = 24 + 8 * (name.length + 1 + type.length)
    return {
      id: `${index}`,
      header: (
        <span title={type}>
          <span className="text-ink">{name}</span> {type}
        </span>
      ),
      label: name,
      isMono: true,
      align: isRightAligned(kind) ? 'end' : 'start',
      ...(width === undefined ? { min: Math.max(140, head) } : { width: Math.max(width, head) }),
      render: (row) => <CellValue kind={kind} value={row[index] ?? null} />,
    }
  })
}

function keyOf(_row: Row, index: number): string {
  return String(index)
}

function RowSheet(props: {
  readonly result: SqlResult
  readonly row: Row
  readonly number: number
  readonly onClose: () => void
}): ReactElement {
  const { result, row, number, onClose } = props
  return (
    <Sheet title={`Row ${number}`} label={`Row ${number}`} name="sql-row" onClose={onClose}>
      {result.columns.map(({ name, type }, index) => {
        const value = row[index] ?? null
        const kind = kindOfType(type, null)
        return (
          <Section
            // biome-ignore lint/suspicious/noArrayIndexKey: two columns of a result may have the same name
            key={index}
            title={`${name} · ${type}`}
            beside={value === null ? undefined : <CopyButton text={value} label={`Copy ${name}`} />}
          >
            {value === null || value === '' ? (
              <CellValue kind={kind} value={value} />
            ) : (
              <pre className="break-words whitespace-pre-wrap">{editableText(kind, value)}</pre>
            )}
          </Section>
        )
      })}
    </Sheet>
  )
}
