// One row of a result, each value whole.
import type { ReactElement } from 'react'
import type { SqlResult } from '../../../emulator/contract/sql-console.ts'
import { editableText, kindOfType } from '../../parts/cell-kind.ts'
import { CellValue } from '../../parts/cell-value.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Section, Sheet } from '../../ui/sheet.tsx'

type Row = SqlResult['rows'][number]

export function RowSheet({
  result,
  row,
  number,
  onClose,
}: {
  readonly result: SqlResult
  readonly row: Row
  readonly number: number
  readonly onClose: () => void
}): ReactElement {
  return (
    <Sheet title={`Row ${number}`} label={`Row ${number}`} name="sql-row" onClose={onClose}>
      {result.columns.map(({ name, type }, index) => {
        const value = row[index] ?? null
        const kind = kindOfType(type, null)
        return (
          <Section
            // biome-ignore lint/suspicious/noArrayIndexKey: two columns of a result may have one name
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
