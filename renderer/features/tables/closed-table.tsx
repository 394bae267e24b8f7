// One of the platform's own tables: its columns, never its rows.
import { Lock } from 'lucide-react'
import type { ReactElement } from 'react'
import type { TableStructure } from '../../../emulator/contract/tables.ts'
import { Chip } from '../../ui/chip.tsx'
import { PageHeader } from '../../ui/page-header.tsx'

export function ClosedTable({ structure }: { readonly structure: TableStructure }): ReactElement {
  return (
    <>
      <PageHeader
        title={structure.name}
        beside={<Chip icon={<Lock aria-hidden />}>closed to every project credential</Chip>}
      />
      <div className="grid min-h-0 flex-1 auto-rows-min gap-3 overflow-auto p-4">
        <p className="max-w-160 text-ink-dim">
          The platform keeps its users here. No key and no session reads it over the data plane; the
          Users screen and the auth routes do. Its columns, for foreign keys and joins:
        </p>
        <table className="w-max border-collapse font-mono">
          <tbody>
            {structure.columns.map(({ name, type, is_nullable }) => (
              <tr key={name} className="h-7 border-b">
                <td className="pr-8">{name}</td>
                <td className="pr-8 text-ink-dim">{type}</td>
                <td className="text-ink-dim">{is_nullable ? '' : 'not null'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}
