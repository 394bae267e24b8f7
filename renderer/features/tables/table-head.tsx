// The head of a table shows its name, row-level security, and actions on the whole table.
import { Link } from '@tanstack/react-router'
import {
  Columns3Cog,
  Download,
  EllipsisVertical,
  Plus,
  ShieldCheck,
  ShieldOff,
  Upload,
} from 'lucide-react'
import { type ReactElement, useMemo, useState } from 'react'
import type { TableStructure } from '../../../emulator/contract/tables.ts'
import { exportRows } from '../../api/tables.ts'
import { type PaletteAction, usePaletteActions } from '../../parts/palette-actions.ts'
import { saveFile } from '../../parts/save-file.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { countOf } from '../../ui/form-values.ts'
import { Menu } from '../../ui/menu.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { showToast } from '../../ui/toast.tsx'
import { useLatest } from '../../ui/use-latest.ts'
import { ImportDialog } from './import-dialog.tsx'
import type { TablesAddress } from './use-tables-address.ts'

export function TableHead(props: {
  readonly address: TablesAddress
  readonly structure: TableStructure
  readonly isEditable: boolean
  readonly onInsert: () => void
}): ReactElement {
  const { address, structure, isEditable, onInsert } = props
  const { tenant } = address
  const [isImporting, setImporting] = useState(false)
  const save = async (format: 'csv' | 'json') => {
    try {
      saveFile(`${structure.name}.${format}`, await exportRows(tenant, structure.name, format))
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error)
      showToast({ title: 'Could not export the rows', detail, tone: 'refused' })
    }
  }
  const startImport = () => setImporting(true)
  const isPast = address.search.at !== undefined
  useTableActions(structure.name, { isEditable, isPast }, { onInsert, startImport, save })
  return (
    <>
      <PageHeader
        title={structure.name}
        beside={<Security tenant={tenant} structure={structure} />}
        actions={
          <>
            {isEditable && (
              <Button
                icon={<Plus />}
                disabled={isPast}
                title={isPast ? 'Go back to now to insert a row' : undefined}
                onClick={onInsert}
              >
                <span className="max-md:sr-only">Insert row</span>
              </Button>
            )}
            <Button
              icon={<Columns3Cog />}
              disabled={isPast}
              title={isPast ? 'Go back to now to change the structure' : undefined}
              aria-pressed={address.search.sheet === 'structure'}
              onClick={() =>
                address.openSheet(address.search.sheet === 'structure' ? undefined : 'structure')
              }
            >
              <span className="max-md:sr-only">Structure</span>
            </Button>
            <Menu
              align="end"
              trigger={<IconButton label="More actions" icon={<EllipsisVertical />} />}
              items={[
                {
                  label: 'Import CSV or JSON…',
                  icon: <Upload />,
                  isDisabled: !isEditable || isPast,
                  onSelect: startImport,
                },
                'line',
                {
                  label: 'Export as CSV',
                  icon: <Download />,
                  isDisabled: isPast,
                  onSelect: () => void save('csv'),
                },
                {
                  label: 'Export as JSON',
                  icon: <Download />,
                  isDisabled: isPast,
                  onSelect: () => void save('json'),
                },
              ]}
            />
          </>
        }
      />
      <ImportDialog
        isOpen={isImporting}
        tenant={tenant}
        structure={structure}
        onClose={() => setImporting(false)}
      />
    </>
  )
}

function useTableActions(
  table: string,
  { isEditable, isPast }: { readonly isEditable: boolean; readonly isPast: boolean },
  handlers: {
    readonly onInsert: () => void
    readonly startImport: () => void
    readonly save: (format: 'csv' | 'json') => Promise<void>
  },
): void {
  const { onInsert, startImport, save } = useLatest(handlers)
  const actions = useMemo((): readonly PaletteAction[] => {
    const group = `Table ${table}`
    const writing = [
      { id: 'table.insert', label: 'Insert row', group, run: onInsert },
      { id: 'table.import', label: 'Import CSV or JSON', group, run: startImport },
    ]
    if (isPast) return []
    return [
      ...(isEditable ? writing : []),
      { id: 'table.csv', label: 'Export as CSV', group, run: () => void save('csv') },
      { id: 'table.json', label: 'Export as JSON', group, run: () => void save('json') },
    ]
  }, [table, isEditable, isPast, onInsert, startImport, save])
  usePaletteActions(actions)
}

function Security(props: {
  readonly tenant: string
  readonly structure: TableStructure
}): ReactElement {
  const { tenant, structure } = props
  const { name, kind, rls_enabled, policies } = structure
  if (kind === 'view' || kind === 'materialized_view') return <span>{kind.replace('_', ' ')}</span>
  const Icon = rls_enabled ? ShieldCheck : ShieldOff
  return (
    <Link
      to="/t/$tenant/policies/$table"
      params={{ tenant, table: name }}
      title={`Open policies. ${countOf(policies, 'policy', 'policies')} for all commands together.`}
      className={cx(
        'inline-flex h-5 items-center gap-1 rounded-1 border px-1 text-small whitespace-nowrap hover:bg-surface-3',
        rls_enabled
          ? 'border-allowed/40 bg-allowed-tint text-allowed'
          : 'border-refused/40 bg-refused-tint text-refused',
      )}
    >
      <Icon size={12} />
      {rls_enabled ? `RLS on · ${countOf(policies, 'policy', 'policies')}` : 'RLS off'}
    </Link>
  )
}
