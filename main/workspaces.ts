// Workspaces are named data directories. The app creates its own workspaces in one folder. The app can also open and list any
// other folder, but neither copies nor moves it.
import { cpSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { WorkspaceView } from './bridge.ts'
import type { Preferences } from './preferences.ts'

export class WorkspaceError extends Error {}

export interface Workspaces {
  /**
   * Recently opened workspaces, latest first, followed by the app's other workspaces by name. The list leaves out missing
   * folders.
   */
  list(recent: Preferences['recent']): readonly WorkspaceView[]
  view(folder: string, recent: Preferences['recent']): WorkspaceView
  /** Creates an empty workspace and returns its folder. @throws {WorkspaceError} */
  create(name: string): string
  /** Copies a workspace and returns the new folder. The workspace must not be open. @throws {WorkspaceError} */
  duplicate(folder: string, name: string): string
  isManaged(folder: string): boolean
}

/** Lock file of the process that has the directory open. A copy of a workspace does not contain the lock file. */
const LOCK_FILE = 'tenantry.lock'

/** @param root folder for the app's own workspaces; created together with the first workspace */
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
      throw new WorkspaceError(`A workspace named “${name}” already exists.`)
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
      attempt(() => mkdirSync(folder, { recursive: true }), `Could not create “${name}”`)
      return folder
    },
    duplicate: (source, name) => {
      if (!isFolder(source)) throw new WorkspaceError(`The folder ${source} no longer exists.`)
      const folder = reserve(name)
      attempt(
        () =>
          cpSync(source, folder, {
            recursive: true,
            preserveTimestamps: true,
            filter: (path) => basename(path) !== LOCK_FILE,
          }),
        `Could not copy “${basename(source)}”`,
      )
      return folder
    },
  }
}

const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)(\..*)?$/i

/**
 * Explains why a workspace cannot have this name; `undefined` for a valid name. A valid name is a valid folder name on every
 * system.
 */
export function nameProblem(name: string): string | undefined {
  if (name.trim() !== name || name === '') return 'Enter a name without spaces at its start or end.'
  if (name.length > 60) return 'A name has at most 60 characters.'
  if (!/^[\p{L}\p{N}][\p{L}\p{M}\p{N} _.-]*$/u.test(name))
    return 'A name starts with a letter or digit and contains only letters, digits, spaces, “-”, “_” and “.”.'
  if (name.endsWith('.') || RESERVED.test(name))
    return 'Some systems do not allow this name for a folder. Choose another.'
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
