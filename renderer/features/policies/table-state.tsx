// Row-level security of a table in short: in the rail, and beside its name.
import { TriangleAlert } from 'lucide-react'
import type { ReactElement } from 'react'
import type { PolicyOverview } from '../../../emulator/contract/explain.ts'
import type { RailTable } from '../../parts/table-rail.tsx'
import { isGrave } from '../../parts/warning-list.tsx'
import { Chip } from '../../ui/chip.tsx'
import { cx } from '../../ui/cx.ts'

type PolicyTable = PolicyOverview['tables'][number]

export function railTable(table: PolicyTable, isView: boolean): RailTable {
  const grave = table.warnings.some(isGrave)
  return {
    name: table.name,
    isView,
    isClosed: table.is_closed,
    isSecured: table.rls_enabled,
    beside: (
      <span className="flex items-center gap-1">
        {table.warnings.length > 0 && (
          <TriangleAlert
            size={12}
            role="img"
            aria-label={`${table.warnings.length} warnings`}
            className={cx(grave ? 'text-refused' : 'text-clock')}
          />
        )}
        {isView ? 'view' : table.is_closed ? '' : table.policies.length}
      </span>
    ),
  }
}

export function State({ table }: { readonly table: PolicyTable }): ReactElement {
  if (table.is_closed) return <Chip>closed to every project credential</Chip>
  return (
    <>
      <Chip tone={table.rls_enabled ? 'allowed' : 'refused'}>
        {table.rls_enabled ? 'RLS on' : 'RLS off'}
      </Chip>
      {table.rls_forced && <Chip>forced on its owner, too</Chip>}
    </>
  )
}
