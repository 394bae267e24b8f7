// Collects the entries of the palette, by group.
import { skipToken, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'
import { call } from '../api/client.ts'
import { useProjects } from '../api/info.ts'
import { useCurrentTenant } from '../parts/current-tenant.ts'
import { onPaletteActions, type PaletteAction, paletteActions } from '../parts/palette-actions.ts'
import { SCREENS } from './screens.tsx'
import { useChooseTenant } from './tenant-switcher.tsx'
import { chooseTheme } from './theme.ts'
import { useGo } from './use-keys.ts'

export interface PaletteEntry extends PaletteAction {
  readonly isMono?: boolean
}

export interface PaletteGroup {
  readonly value: string
  readonly items: readonly PaletteEntry[]
}

export function usePaletteEntries(): readonly PaletteGroup[] {
  const go = useGo()
  const chooseTenant = useChooseTenant()
  const { data: projects = [] } = useProjects()
  const offered = useSyncExternalStore(onPaletteActions, paletteActions)
  const entries: readonly PaletteEntry[] = [
    ...offered.values(),
    ...SCREENS.map((screen) => ({
      id: `screen ${screen.to}`,
      label: screen.label,
      group: 'Screens',
      keys: `g ${screen.letter}`,
      run: () => go(screen),
    })),
    ...useTableEntries(),
    ...projects.map(({ slug, kind }) => ({
      id: `tenant ${slug}`,
      label: slug,
      group: kind === 'tenant' ? 'Tenants' : 'Templates and projects',
      isMono: true,
      run: () => chooseTenant(slug),
    })),
    ...(['dark', 'light', 'system'] as const).map((theme) => ({
      id: `theme ${theme}`,
      label: theme === 'system' ? 'Theme: system' : `Theme: ${theme}`,
      group: 'Settings',
      run: () => chooseTheme(theme),
    })),
  ]
  return [...Map.groupBy(entries, ({ group }) => group)].map(([value, items]) => ({ value, items }))
}

function useTableEntries(): readonly PaletteEntry[] {
  const navigate = useNavigate()
  const tenant = useCurrentTenant()
  const { data } = useQuery({
    queryKey: ['tables', tenant],
    queryFn:
      tenant === undefined
        ? skipToken
        : ({ signal }) => call('GET /projects/:ref/tables', { params: { ref: tenant }, signal }),
  })
  if (tenant === undefined || data === undefined) return []
  return data.tables
    .filter((table) => !table.is_closed)
    .map(({ name }) => ({
      id: `table ${name}`,
      label: name,
      group: `Tables of ${tenant}`,
      isMono: true,
      run: () => void navigate({ to: '/t/$tenant/tables/$table', params: { tenant, table: name } }),
    }))
}
