// Collects the entries of the palette, by group.
import { skipToken, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'
import { call } from '../api/client.ts'
import { useProjects } from '../api/info.ts'
import { useCurrentTenant } from '../parts/current-tenant.ts'
import { onPaletteActions, paletteActions } from '../parts/palette-actions.ts'
import { useRemembered } from '../ui/remembered.ts'
import type { PaletteEntry } from './palette-entry.ts'
import { findEntries } from './palette-search.ts'
import { SCREENS } from './screens.tsx'
import { useChooseTenant } from './tenant-switcher.tsx'
import { chooseTheme } from './theme.ts'
import { useActingEntries } from './use-acting-entries.ts'
import { useFoundEntries } from './use-found-entries.ts'
import { useGo } from './use-keys.ts'
import { usePastedEntries } from './use-pasted-entries.ts'

export interface PaletteGroup {
  readonly value: string
  readonly items: readonly PaletteEntry[]
}

interface PaletteEntries {
  readonly groups: readonly PaletteGroup[]
  readonly choose: (entry: PaletteEntry) => void
}

/** The number of recently chosen entries that the palette shows first. */
const RECENT = 6

/** @param typed the text in the palette's field */
export function usePaletteEntries(typed: string): PaletteEntries {
  const [recent, remember] = useRemembered<readonly string[]>('palette.recent', [])
  const found = findEntries(useAllEntries(typed), typed, recent)
  const groups = [...Map.groupBy(found, ({ group }) => group)]
  return {
    groups: groups.map(([value, items]) => ({ value, items })),
    choose: (entry) => {
      const { id, isFound, run } = entry
      // An entry from a search exists only while its text is typed, so the palette does not remember it.
      if (isFound !== true) remember([id, ...recent.filter((one) => one !== id)].slice(0, RECENT))
      run()
    },
  }
}

function useAllEntries(typed: string): readonly PaletteEntry[] {
  const go = useGo()
  const chooseTenant = useChooseTenant()
  const { data: projects = [] } = useProjects()
  const offered = useSyncExternalStore(onPaletteActions, paletteActions)
  const tables = useOwnTables()
  return [
    ...usePastedEntries(typed),
    ...useFoundEntries(typed, tables),
    ...offered.values(),
    ...SCREENS.map((screen) => ({
      id: `screen ${screen.to}`,
      label: screen.label,
      words: screen.words,
      group: 'Screens',
      keys: `g ${screen.letter}`,
      run: () => go(screen),
    })),
    ...useTableEntries(tables),
    ...projects.map(({ slug, kind }) => ({
      id: `tenant ${slug}`,
      label: slug,
      words: `proj_${slug}`,
      group: kind === 'tenant' ? 'Tenants' : 'Templates and projects',
      isMono: true,
      run: () => chooseTenant(slug),
    })),
    ...useActingEntries(tables),
    ...(['dark', 'light', 'system'] as const).map((theme) => ({
      id: `theme ${theme}`,
      label: theme === 'system' ? 'Theme: system' : `Theme: ${theme}`,
      group: 'Settings',
      run: () => chooseTheme(theme),
    })),
  ]
}

/** Returns the names of the current tenant's tables, without those of the platform. */
function useOwnTables(): readonly string[] {
  const tenant = useCurrentTenant()
  const { data } = useQuery({
    queryKey: ['tables', tenant],
    queryFn:
      tenant === undefined
        ? skipToken
        : ({ signal }) => call('GET /projects/:ref/tables', { params: { ref: tenant }, signal }),
  })
  return (data?.tables ?? []).filter((table) => !table.is_closed).map(({ name }) => name)
}

function useTableEntries(tables: readonly string[]): readonly PaletteEntry[] {
  const navigate = useNavigate()
  const tenant = useCurrentTenant()
  if (tenant === undefined) return []
  return tables.map((name) => ({
    id: `table ${name}`,
    label: name,
    group: `Tables of ${tenant}`,
    isMono: true,
    run: () => void navigate({ to: '/t/$tenant/tables/$table', params: { tenant, table: name } }),
  }))
}
