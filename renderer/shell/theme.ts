// Provides the theme: the system's theme until the user chooses one. In the desktop app, workspaces have different
// ports and thus separate browser storage. The app therefore stores the user's theme itself and applies the theme as
// the system preference.
import { desktop } from '../api/desktop.ts'

export type ThemeChoice = 'system' | 'dark' | 'light'

const KEY = 'tenantry.theme'
const prefersLight = matchMedia('(prefers-color-scheme: light)')
const listeners = new Set<() => void>()
prefersLight.addEventListener('change', applyTheme)
let chosenInApp: ThemeChoice = 'system'
void desktop?.state().then(({ theme }) => {
  chosenInApp = theme
  applyTheme()
})

export function themeChoice(): ThemeChoice {
  if (desktop !== undefined) return chosenInApp
  const kept = localStorage.getItem(KEY)
  return kept === 'dark' || kept === 'light' ? kept : 'system'
}

/** The theme that is currently visible. */
export function themeShown(): 'dark' | 'light' {
  const choice = themeChoice()
  if (choice !== 'system') return choice
  return prefersLight.matches ? 'light' : 'dark'
}

export function chooseTheme(choice: ThemeChoice): void {
  if (desktop !== undefined) {
    chosenInApp = choice
    void desktop.setTheme(choice)
  } else if (choice === 'system') localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, choice)
  applyTheme()
}

export function onTheme(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Applies the current theme to the page. */
export function applyTheme(): void {
  document.documentElement.dataset['theme'] = themeShown()
  for (const listener of listeners) listener()
}
