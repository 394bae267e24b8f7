// Workspaces: data directories with names. Those the app makes lie together in the user's folder; any other folder can be
// opened as well, and is only remembered.
import { cpSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { WorkspaceView } from './bridge.ts'
import type { Preferences } from './preferences.ts'

export class WorkspaceError extends Error {}

export interface Workspaces {
  /** Opened ones first, the latest first; then the app's own by name. Folders that are gone are left out. */
  list(recent: Preferences['recent']): readonly WorkspaceView[]
  view(folder: string, recent: Preferences['recent']): WorkspaceView
  /** Makes an empty one and gives its folder. @throws {WorkspaceError} */
  create(name: string): string
  /** Copies one that nothing has open. @throws {WorkspaceError} */
  duplicate(folder: string, name: string): string
  isManaged(folder: string): boolean
}

/** Belongs to the process that has a directory open, never to its copy. */
const LOCK_FILE = 'tenantry.lock'

/** @param root folder of the app's own workspaces; made when the first one is */
export function createWorkspaces(root: string): Workspaces {
  const isManaged = (folder: string): boolean => dirname(resolve(folder)) === resolve(root)

  function view(folder: string, recent: Preferences['recent']): WorkspaceView {
    const opened = recent.find((entry) => entry.folder === folder)
    return {
      name: basename(folder),
      folder,
      is_managed: isManaged(folder),
      opened_at: opened?.openedAt ?? null,
    }
  }

  function reserve(name: string): string {
    const problem = nameProblem(name)
    if (problem !== undefined) throw new WorkspaceError(problem)
    const folder = join(root, name)
    if (namesIn(root).some((other) => other.toLowerCase() === name.toLowerCase()))
      throw new WorkspaceError(`There is a workspace called “${name}” already.`)
    return folder
  }

  return {
    isManaged,
    view,
    list: (recent) => {
      const folders = [
        ...recent.map(({ folder }) => folder),
        ...namesIn(root).map((name) => join(root, name)),
      ]
      return [...new Set(folders)].filter(isFolder).map((folder) => view(folder, recent))
    },
    create: (name) => {
      const folder = reserve(name)
      attempt(() => mkdirSync(folder, { recursive: true }), `“${name}” cannot be made`)
      return folder
    },
    duplicate: (source, name) => {
      if (!isFolder(source)) throw new WorkspaceError(`${source} is not there any more.`)
      const folder = reserve(name)
      attempt(
        () =>
          cpSync(source, folder, {
            recursive: true,
            preserveTimestamps: true,
            filter: (path) => basename(path) !== LOCK_FILE,
          }),
        `“${basename(source)}” cannot be copied`,
      )
      return folder
    },
  }
}

const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)(\..*)?$/i

/** Why a workspace cannot be called that, for people; the names work as folders on every system. */
export function nameProblem(name: string): string | undefined {
  if (name.trim() !== name || name === '')
    return 'Give it a name that neither starts nor ends with a blank.'
  if (name.length > 60) return 'A name has at most 60 characters.'
  if (!/^[\p{L}\p{N}][\p{L}\p{M}\p{N} _.-]*$/u.test(name))
    return 'A name starts with a letter or digit, and has letters, digits, blanks, “-”, “_” and “.” only.'
  if (name.endsWith('.') || RESERVED.test(name))
    return 'That name cannot be a folder on every system.'
  return undefined
}

function namesIn(root: string): readonly string[] {
  if (!existsSync(root)) return []
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort((a, b) => a.localeCompare(b))
}

function isFolder(folder: string): boolean {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false
}

function attempt(work: () => void, what: string): void {
  try {
    work()
  } catch (error) {
    throw new WorkspaceError(`${what}: ${error instanceof Error ? error.message : String(error)}`)
  }
}
