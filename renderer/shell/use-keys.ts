// The keys that work everywhere: Ctrl/Cmd+K, `?`, and `g` followed by a screen's letter.
import { useEffect, useRef } from 'react'
import { isPopupOpen, isTyping } from '../ui/keyboard.ts'
import { SCREENS, type Screen } from './screens.tsx'

export interface ShellKeys {
  readonly onPalette: () => void
  readonly onKeys: () => void
  readonly go: (screen: Screen) => void
}

/** Milliseconds within which the letter has to follow `g`. */
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
      } else if (!isForSomebodyElse(event)) sequence(event, latest.current)
    }
    window.addEventListener('keydown', onKey, { capture: true })
    return () => window.removeEventListener('keydown', onKey, { capture: true })
  }, [])
}

function isPaletteKey(event: KeyboardEvent): boolean {
  return (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k'
}

function isForSomebodyElse(event: KeyboardEvent): boolean {
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
      // A letter may mean something to the list that has the focus.
      event.stopPropagation()
      keys.go(screen)
    } else if (event.key === 'g') startedAt = event.timeStamp
    else if (event.key === '?') keys.onKeys()
  }
}
