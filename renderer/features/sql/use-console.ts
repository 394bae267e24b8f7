// What the console offers the palette, and as whom it runs, which its address holds.
import { useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { IdentityReference } from '../../../emulator/contract/identities.ts'
import { identityText, parseIdentityText } from '../../parts/identity-text.ts'
import { usePaletteActions } from '../../parts/palette-actions.ts'
import { useChangeSearch } from '../../parts/search.ts'
import { useLatest } from '../../ui/use-latest.ts'
import type { SqlSearch } from './sql-search.ts'

export function useConsoleActions(
  handlers: Readonly<Record<'run' | 'explain' | 'add' | 'history', () => void>>,
): void {
  const latest = useLatest(handlers)
  const group = 'SQL console'
  usePaletteActions(
    useMemo(
      () => [
        { id: 'sql.run', label: 'Run', group, keys: 'Ctrl+Enter', run: latest.run },
        { id: 'sql.explain', label: 'Explain', group, run: latest.explain },
        { id: 'sql.new', label: 'New query', group, run: latest.add },
        { id: 'sql.history', label: 'History', group, run: latest.history },
      ],
      [latest],
    ),
  )
}

export function useRunAs() {
  const { as } = useSearch({ from: '/t/$tenant/sql' })
  const change = useChangeSearch<SqlSearch>()
  const runAs = (identity: IdentityReference | null) =>
    change({ as: identity === null ? undefined : identityText(identity) }, true)
  return [parseIdentityText(as) ?? null, runAs] as const
}
