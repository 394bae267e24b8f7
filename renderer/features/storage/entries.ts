// Builds the entries of a folder, including hidden entries, and checks names for storage. Pure.
import type { Entry } from '../../api/storage.ts'

export interface ShownEntry {
  /** The entry's key within the bucket. The key of a folder ends in a slash. */
  readonly key: string
  readonly name: string
  readonly isFolder: boolean
  /** Whether the identity may not see this entry, although it exists. */
  readonly isHidden: boolean
  readonly size: number | undefined
  readonly mimeType: string | undefined
  readonly updatedAt: string | null
  readonly version: string
}

/** Name of the empty object that keeps an empty folder in the list. */
export const PLACEHOLDER = '.emptyFolderPlaceholder'

/** Lists folders first. `seen` contains the entries that the identity may see; `undefined` means all entries. */
export function shownEntries(
  all: readonly Entry[],
  seen: readonly Entry[] | undefined,
  folder: string,
): readonly ShownEntry[] {
  const visible = seen === undefined ? undefined : new Set(seen.map(({ name }) => name))
  return all
    .filter(({ name }) => name !== PLACEHOLDER)
    .map((entry) => ({
      key: `${folder}${entry.name}${entry.id === null ? '/' : ''}`,
      name: entry.name,
      isFolder: entry.id === null,
      isHidden: visible !== undefined && !visible.has(entry.name),
      size: entry.metadata?.size,
      mimeType: entry.metadata?.mimetype,
      updatedAt: entry.updated_at,
      version: `${entry.updated_at} ${entry.metadata?.eTag}`,
    }))
    .toSorted((one, other) => Number(other.isFolder) - Number(one.isFolder))
}

/** The version of an object that no longer exists in its folder. */
export const GONE = 'gone'

/** The version of the open object. Returns `undefined` until the list has loaded. */
export function versionOf(
  key: string,
  entries: readonly ShownEntry[] | undefined,
  folder: string,
): string | undefined {
  if (entries === undefined) return undefined
  const entry = entries.find((one) => one.key === key)
  if (entry !== undefined) return entry.version
  return key.startsWith(folder) && !key.slice(folder.length).includes('/') ? GONE : 'elsewhere'
}

/** Splits a key into breadcrumb steps, each with the folder that it opens. */
export function stepsOf(
  folder: string,
): readonly { readonly name: string; readonly folder: string }[] {
  const names = folder.split('/').filter((name) => name !== '')
  return names.map((name, index) => ({
    name,
    folder: `${names.slice(0, index + 1).join('/')}/`,
  }))
}

/** Explains why a key is not allowed. Returns `undefined` for an allowed key. */
export function problemOfKey(key: string): string | undefined {
  if (key.trim() === '') return 'Enter a name.'
  const wrong = /[^A-Za-z0-9_/!.*'() &$@=;:+,?-]/u.exec(key)?.[0]
  return wrong === undefined
    ? undefined
    : `Names cannot contain “${wrong}”. Allowed characters: letters without accents, digits, spaces and _ - . ! * ' ( ) & $ @ = ; : + , ? /`
}

/** Converts a name to characters that storage allows: removes accents and replaces any other character by `_`. */
export function usableName(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9_!.*'() &$@=;:+,?-]/gu, '_')
}
