// The columns of the list of verdicts: the verdict, its reason, the row's cells.
import type { Explanation, RowVerdict } from '../../../emulator/contract/explain.ts'
import { isRightAligned, kindOfType } from '../../parts/cell-kind.ts'
import { CellValue } from '../../parts/cell-value.tsx'
import { TruthMark } from '../../parts/truth-mark.tsx'
import { verdictWord } from '../../parts/verdict-words.ts'
import { cx } from '../../ui/cx.ts'
import type { GridColumn } from '../../ui/data-grid.tsx'

/** Cells of so many columns show; the sheet has all. */
const COLUMNS_SHOWN = 5

export function verdictColumns({
  columns,
  command,
}: Explanation): readonly GridColumn<RowVerdict>[] {
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
    ...columns.slice(0, COLUMNS_SHOWN).map((column): GridColumn<RowVerdict> => {
      const kind = kindOfType(column.type, null)
      return {
        id: column.name,
        header: column.name,
        isMono: true,
        width: kind === 'number' ? 96 : 152,
        align: isRightAligned(kind) ? 'end' : 'start',
        render: ({ row }) => <CellValue kind={kind} value={row[column.name] ?? null} />,
      }
    }),
  ]
}
