// Keyboard shortcuts that work on every screen: Ctrl/Cmd+K, `?`, and `g` followed by a screen's letter.
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useEffect, useRef } from 'react'
import { useCurrentTenant } from '../parts/current-tenant.ts'
import { useLastTable } from '../parts/last-table.ts'
import { isPopupOpen, isTyping } from '../ui/keyboard.ts'
import { isTenantAddress, SCREENS, type Screen } from './screens.tsx'

export interface ShellKeys {
  readonly onPalette: () => void
  readonly onKeys: () => void
  readonly go: (screen: Screen) => void
}

/** The longest time between `g` and the letter, in wall-clock milliseconds. */
const SEQUENCE_MILLIS = 1_500

export function useKeys(keys: ShellKeys): void {
  const latest = useRef(keys)
  useEffect(() => {
    latest.current = keys
  })
  useEffect(() => {
    const sequence = createSequence()
    const onKey = (event: KeyboardEvent) => {
      if (isPaletteKey(event)) {
        event.preventDefault()
        latest.current.onPalette()
      } else if (!isForFocusedElement(event)) sequence(event, latest.current)
    }
    window.addEventListener('keydown', onKey, { capture: true })
    return () => window.removeEventListener('keydown', onKey, { capture: true })
  }, [])
}

function isPaletteKey(event: KeyboardEvent): boolean {
  return (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k'
}

function isForFocusedElement(event: KeyboardEvent): boolean {
  const isChord = event.ctrlKey || event.metaKey || event.altKey
  return isChord || isTyping(event.target) || isPopupOpen()
}

function createSequence(): (event: KeyboardEvent, keys: ShellKeys) => void {
  let startedAt: number | undefined
  return (event, keys) => {
    const isSecond = startedAt !== undefined && event.timeStamp - startedAt < SEQUENCE_MILLIS
    startedAt = undefined
    const screen = isSecond ? SCREENS.find(({ letter }) => letter === event.key) : undefined
    if (screen !== undefined) {
      event.preventDefault()
      // Prevents the focused list from handling the same letter.
      event.stopPropagation()
      keys.go(screen)
    } else if (event.key === 'g') startedAt = event.timeStamp
    else if (event.key === '?') keys.onKeys()
  }
}

/** Opens a screen. Screens of a tenant open for the current tenant. */
export function useGo(): (screen: Pick<Screen, 'to'>) => void {
  const navigate = useNavigate()
  const tenant = useCurrentTenant()
  const table = useLastTable(tenant)
  return useCallback(
    ({ to }) => {
      if (!isTenantAddress(to)) void navigate({ to })
      else if (tenant === undefined) void navigate({ to: '/tenants' })
      else if (to === '/t/$tenant/tables' && table !== undefined)
        void navigate({ to: '/t/$tenant/tables/$table', params: { tenant, table } })
      else void navigate({ to, params: { tenant } })
    },
    [navigate, tenant, table],
  )
}
