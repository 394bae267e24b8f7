// The entries of a folder as the screen shows them, with those that the identity may not see; and names that storage allows. Pure.
import type { Entry } from '../../api/storage.ts'

export interface ShownEntry {
  /** Within the bucket; a folder's ends in a slash. */
  readonly key: string
  readonly name: string
  readonly isFolder: boolean
  /** The entry exists, and the identity may not see it. */
  readonly isHidden: boolean
  readonly size: number | undefined
  readonly mimeType: string | undefined
  readonly updatedAt: string | null
  readonly version: string
}

/** The object that keeps an empty folder in the list. */
export const PLACEHOLDER = '.emptyFolderPlaceholder'

/** Folders first. `seen` are the entries that the identity sees; `undefined` when it sees all. */
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

/** The version of an object that is no longer in its folder. */
export const GONE = 'gone'

/** The version of the open object; `undefined` until the list has loaded. */
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

/** A key's place as steps: each with the folder it opens. */
export function stepsOf(
  folder: string,
): readonly { readonly name: string; readonly folder: string }[] {
  const names = folder.split('/').filter((name) => name !== '')
  return names.map((name, index) => ({
    name,
    folder: `${names.slice(0, index + 1).join('/')}/`,
  }))
}

/** Why a key is not allowed; `undefined` when it is. */
export function problemOfKey(key: string): string | undefined {
  if (key.trim() === '') return 'Enter a name.'
  const wrong = /[^A-Za-z0-9_/!.*'() &$@=;:+,?-]/u.exec(key)?.[0]
  return wrong === undefined
    ? undefined
    : `Names cannot contain “${wrong}”. Allowed: letters without accents, digits, spaces and _ - . ! * ' ( ) & $ @ = ; : + , ? /`
}

/** The name in characters that storage allows: accents are removed, any other character becomes `_`. */
export function usableName(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9_!.*'() &$@=;:+,?-]/gu, '_')
}
