// Entries of the palette that run an action: provision a tenant, move the clock, export, open forms. Every screen has the same
// entries.
import { useNavigate } from '@tanstack/react-router'
import type { ClockCommand } from '../../emulator/contract/clock.ts'
import type { IdentityReference } from '../../emulator/contract/identities.ts'
import { moveClock } from '../api/clock.ts'
import { queryClient } from '../api/query-client.ts'
import { exportRows } from '../api/tables.ts'
import { useActingAs } from '../parts/acting-as.ts'
import { useCurrentTenant } from '../parts/current-tenant.ts'
import { saveFile } from '../parts/save-file.ts'
import { showToast } from '../ui/toast.tsx'
import type { PaletteEntry } from './palette-entry.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

const CLOCK: readonly (readonly [label: string, command: ClockCommand])[] = [
  ['Advance clock by 1 hour', { advance_ms: HOUR }],
  ['Advance clock by 1 day', { advance_ms: DAY }],
  ['Advance clock by 30 days', { advance_ms: 30 * DAY }],
  ['Freeze clock', { freeze: true }],
  ['Reset clock', { reset: true }],
]

const IDENTITIES: readonly (readonly [label: string, identity: IdentityReference | null])[] = [
  ['the owner', null],
  ['anon', { kind: 'anon' }],
  ['service_role', { kind: 'service_role' }],
]

/** @param tables names of the current tenant's own tables */
export function useActingEntries(tables: readonly string[]): readonly PaletteEntry[] {
  const navigate = useNavigate()
  const { actAs } = useActingAs()
  const tenant = useCurrentTenant()
  return [
    {
      id: 'act provision',
      label: 'Provision tenant',
      words: 'create add new customer',
      group: 'Actions',
      run: () => void navigate({ to: '/tenants', search: { sheet: 'provision' } }),
    },
    ...IDENTITIES.map(([label, identity]) => ({
      id: `act as ${label}`,
      label: `Act as ${label}`,
      words: 'impersonate identity role',
      group: 'Actions',
      run: () => actAs(identity),
    })),
    ...CLOCK.map(([label, command]) => ({
      id: `act ${label}`,
      label,
      words: 'time travel move',
      group: 'Actions',
      run: () => void changeClock(label, command),
    })),
    {
      id: 'act export fixture',
      label: 'Export fixture',
      group: 'Actions',
      run: () => void navigate({ to: '/fixtures' }),
    },
    ...(tenant === undefined
      ? []
      : [
          {
            id: 'act create user',
            label: `Create user in ${tenant}`,
            words: 'add new sign up',
            group: 'Actions',
            run: () =>
              void navigate({
                to: '/t/$tenant/users',
                params: { tenant },
                search: { user: 'new' },
              }),
          },
          ...tables.map((table) => ({
            id: `act export ${table}`,
            label: `Export ${table} as CSV`,
            group: 'Actions',
            run: () => void exportTable(tenant, table),
          })),
        ]),
  ]
}

async function changeClock(label: string, command: ClockCommand): Promise<void> {
  try {
    const { now } = await moveClock(command)
    // Any screen may show tokens, codes or quotas that have expired at the new time.
    void queryClient.invalidateQueries()
    showToast({ title: label, detail: `Platform time is ${now}.`, tone: 'allowed' })
  } catch (error) {
    failed('Could not change the clock', error)
  }
}

async function exportTable(tenant: string, table: string): Promise<void> {
  try {
    saveFile(`${table}.csv`, await exportRows(tenant, table, 'csv'))
  } catch (error) {
    failed(`Could not export ${table}`, error)
  }
}

function failed(title: string, error: unknown): void {
  showToast({
    title,
    detail: error instanceof Error ? error.message : String(error),
    tone: 'refused',
  })
}
