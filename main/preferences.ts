// The app's preferences in a small JSON file, which is replaced atomically. An unreadable file never prevents a start, and
// is kept aside before it is replaced. Each invalid value is replaced by its default; valid values are kept.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'

const bounds = z.object({
  x: z.number().int(),
  y: z.number().int(),
  width: z.number().int().min(1),
  height: z.number().int().min(1),
})

const preferencesShape = z.object({
  window: z.object({ bounds, isMaximized: z.boolean() }).optional().catch(undefined),
  theme: z.enum(['system', 'light', 'dark']).catch('system'),
  /** Recently opened data directories, latest first. */
  recent: z
    .array(z.object({ folder: z.string().min(1), openedAt: z.string() }))
    .max(100)
    .catch([]),
  /** Data directory that the next start opens. */
  lastFolder: z.string().optional().catch(undefined),
  mailNotices: z.boolean().catch(false),
  /** The port that the emulator listens on. */
  port: z.number().int().min(0).max(65_535).catch(7_357),
})

export type Preferences = Readonly<z.output<typeof preferencesShape>>

export interface PreferenceStore {
  read(): Preferences
  /** Changes and saves preferences. A change that cannot be saved lasts until the app quits. */
  change(changes: Partial<Preferences>): Preferences
}

export function openPreferences(file: string): PreferenceStore {
  const text = readText(file)
  let preferences = parsePreferences(text)
  let isUsable = objectOf(text) !== undefined
  return {
    read: () => preferences,
    change: (changes) => {
      preferences = { ...preferences, ...changes }
      write(file, preferences, isUsable)
      isUsable = true
      return preferences
    },
  }
}

/** Parses the text of the preferences file. Never throws. */
export function parsePreferences(text: string): Preferences {
  return preferencesShape.parse(objectOf(text) ?? {})
}

/** Returns `undefined` for text that is not a JSON object. */
function objectOf(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Returns the text of the file, and an empty text for a file that cannot be read. */
function readText(file: string): string {
  if (!existsSync(file)) return '{}'
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

function write(file: string, preferences: Preferences, isUsable: boolean): void {
  try {
    mkdirSync(dirname(file), { recursive: true })
    if (!isUsable) renameSync(file, `${file}.unusable`)
    writeFileSync(`${file}.new`, JSON.stringify(preferences, undefined, 2), { mode: 0o600 })
    renameSync(`${file}.new`, file)
  } catch {
    // Saving failed. Preferences that cannot be saved still apply until the app quits.
  }
}
