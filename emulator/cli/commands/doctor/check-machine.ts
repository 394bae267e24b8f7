// The checks of `tenantry doctor` that concern the installation: Node, the package, native parts, engine, cache, environment and
// browser.
import { existsSync } from 'node:fs'
import { type Finding, healthy, note, problem, reasonOf } from './finding.ts'
import type { Machine } from './machine.ts'

/** `engines` of package.json. */
const OLDEST_NODE = [22, 12] as const
/** Packages with native code or WebAssembly. Their install scripts may be blocked, or made for another Node. */
const NATIVE_PARTS = ['better-sqlite3', 'sharp', 'libpg-query'] as const

export interface MachineScope {
  /** Whether the embedded engine is to be tried, because no server is named. */
  readonly startsEngine: boolean
}

/** @returns one finding for each check */
export async function checkMachine(
  machine: Machine,
  { startsEngine }: MachineScope,
): Promise<readonly Finding[]> {
  const node = checkNode(machine)
  const parts = await checkNativeParts(machine)
  const isSound = node.state === 'ok' && parts.state === 'ok'
  return [
    node,
    checkPackage(machine),
    parts,
    ...(startsEngine ? [isSound ? await checkEngine(machine) : NOT_TRIED] : []),
    checkCache(machine),
    await checkEnvironment(machine),
    checkBrowser(machine),
  ]
}

const NOT_TRIED = note(
  'engine',
  'It was not started, because Node or a native part is unusable.',
  'Repair these first, then run "tenantry doctor" again.',
)

function checkNode({ nodeVersion }: Machine): Finding {
  const [major = 0, minor = 0] = nodeVersion.split('.').map((part) => Number.parseInt(part, 10))
  const [oldestMajor, oldestMinor] = OLDEST_NODE
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor))
    return healthy('node', nodeVersion)
  return problem(
    'node',
    `This is Node ${nodeVersion}. Tenantry needs Node ${OLDEST_NODE.join('.')} or newer.`,
    'Install a newer Node from https://nodejs.org, then remove node_modules and install your packages again.',
  )
}

function checkPackage(machine: Machine): Finding {
  const missing = machine.missingFile()
  return missing === undefined
    ? healthy('package', 'all files are there')
    : problem(
        'package',
        `The file ${missing} of the package is missing.`,
        'Install the package again: "npm install tenantry". In a clone of the repository, run "npm run build".',
      )
}

async function checkNativeParts(machine: Machine): Promise<Finding> {
  for (const name of NATIVE_PARTS)
    try {
      await machine.load(name)
    } catch (error) {
      const { arch, nodeVersion, platform } = machine
      return problem(
        'native_parts',
        `${name} does not load on Node ${nodeVersion}, ${platform} ${arch}: ${reasonOf(error)}.`,
        `Run "npm rebuild ${name}". If it fails again, remove node_modules and install on this machine with this Node.`,
      )
    }
  return healthy('native_parts', NATIVE_PARTS.join(', '))
}

async function checkEngine(machine: Machine): Promise<Finding> {
  try {
    await machine.startEngine()
    return healthy('engine', 'the embedded Postgres starts')
  } catch (error) {
    return problem(
      'engine',
      `The embedded Postgres does not start: ${reasonOf(error).replace(/\.$/, '')}.`,
      'Free memory (it needs about 300 MB), install the package again, or use a server with --engine postgres.',
    )
  }
}

function checkCache(machine: Machine): Finding {
  const refusal = machine.refusesWrites(machine.cacheFolder)
  return refusal === undefined
    ? healthy('cache', machine.cacheFolder)
    : note(
        'cache',
        `${machine.cacheFolder} cannot be used: ${refusal}. Starts are slower, and "tenantry list" is empty.`,
        'Change its permissions, or name another folder with XDG_CACHE_HOME (on Windows, LOCALAPPDATA).',
      )
}

async function checkEnvironment(machine: Machine): Promise<Finding> {
  const url = machine.env['TENANTRY_AUTH_URL']
  const names = Object.keys(machine.env).filter((name) => name.startsWith('TENANTRY_'))
  if (url !== undefined && !(await machine.answersAt(url)))
    return note(
      'environment',
      `TENANTRY_AUTH_URL is ${url}, and no emulator answers there. Commands call this address.`,
      'Start the emulator, or run "unset TENANTRY_AUTH_URL" (in PowerShell, "Remove-Item Env:TENANTRY_AUTH_URL").',
    )
  return healthy('environment', names.length === 0 ? 'no variables of Tenantry' : names.join(', '))
}

function checkBrowser(machine: Machine): Finding {
  const named = machine.env['CHROMIUM']
  if (named !== undefined && !existsSync(named))
    return problem(
      'browser',
      `CHROMIUM names ${named}, and there is no such file.`,
      'Correct the variable, or remove it.',
    )
  const found = named ?? machine.findBrowser()
  return found === undefined
    ? note(
        'browser',
        'No browser was found. The inspector needs one; everything else works without.',
        'Open the inspector from another machine, for example with "ssh -L 7357:127.0.0.1:7357".',
      )
    : healthy('browser', found)
}
