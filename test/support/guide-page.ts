// Runs a page of the documentation as a program. The page's fenced blocks become one shell script, which runs with a separate
// emulator (`tenantry exec`), or with the emulators that the page starts. A test fails when a command no longer works.
import { spawn } from 'node:child_process'
import {
  chmodSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parse } from 'yaml'

/** One fenced block. */
export interface Block {
  /** Line of the opening fence, from 1. */
  readonly line: number
  /** First word after the fence, such as `sh`. */
  readonly language: string
  /** Words `name=value` after the language. */
  readonly attributes: Readonly<Record<string, string>>
  readonly text: string
}

/** The output of a block, and the output that the page shows. */
export interface BlockOutput {
  readonly line: number
  readonly printed: string
  /** The `text` block below the command block on the page; `undefined` when the page has no such block. */
  readonly expected: string | undefined
}

export interface PageRun {
  readonly exitCode: number | null
  /** Line of the last block that was started. */
  readonly lastLine: number | undefined
  readonly outputs: readonly BlockOutput[]
  readonly stderr: string
}

const FENCE = /^```(\S*)\s*(.*)$/
const MARK = '\u0001block '
/** Line of a page that starts its own emulators, so that its commands need no emulator that runs already. */
const OWN_EMULATORS = '<!-- emulators: own -->'

/** Whether a page starts the emulators that its commands call. */
export function startsEmulators(markdown: string): boolean {
  return markdown.split('\n').includes(OWN_EMULATORS)
}

/** The fenced blocks of a Markdown page, in order. */
export function blocksOf(markdown: string): readonly Block[] {
  const blocks: Block[] = []
  let open: { line: number; language: string; attributes: string; lines: string[] } | undefined
  for (const [index, line] of markdown.split('\n').entries()) {
    const fence = FENCE.exec(line)
    if (open === undefined && fence !== null)
      open = { line: index + 1, language: fence[1] ?? '', attributes: fence[2] ?? '', lines: [] }
    else if (open !== undefined && line === '```') {
      blocks.push({
        line: open.line,
        language: open.language,
        attributes: Object.fromEntries(
          open.attributes
            .split(/\s+/)
            .filter((word) => word.includes('='))
            .map((word) => word.split(/=(.*)/s, 2) as [string, string]),
        ),
        text: open.lines.join('\n'),
      })
      open = undefined
    } else open?.lines.push(line)
  }
  return blocks
}

/** Whether `printed` matches what a page shows. `…` matches any text, also over many lines. */
export function matches(printed: string, expected: string): boolean {
  const pattern = expected
    .trim()
    .split('…')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('[\\s\\S]*?')
  return new RegExp(`^${pattern}$`).test(printed.trim())
}

/**
 * Runs a page. `sh` blocks run in order in one shell; `text` is the expected output of the block above; blocks with
 * `file=<path>` are written to that path first; `needs=<command>` skips a block when that command is missing.
 *
 * @param own whether the page starts its own emulators. Otherwise it runs in the environment of `tenantry exec`.
 */
export async function runPage(blocks: readonly Block[], own = false): Promise<PageRun> {
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-guide-'))
  furnish(folder)
  const script: string[] = ['set -eu']
  if (!own) script.push("env | grep -E '^TENANTRY_[A-Z_]+=[^{]*$' > .env")
  const ran = new Set<string>()
  for (const block of blocks) script.push(...linesOf(block, folder, ran))
  writeFileSync(join(folder, 'page.sh'), script.join('\n'))
  const { exitCode, stdout, stderr } = own
    ? await run(folder, 'sh', ['page.sh'])
    : await tenantry(folder, ['exec', '--history', '--', 'sh', 'page.sh'])
  // Stops emulators that continue to run after the page's script, such as that of `npm start`.
  for (const running of globSync('{*,*/*}/running.json', { cwd: folder }))
    await tenantry(folder, ['stop', '--data-dir', dirname(running)])
  rmSync(folder, { recursive: true })
  const parts = stdout.split(MARK).slice(1)
  const outputs = parts.map((part): BlockOutput => {
    const line = Number.parseInt(part, 10)
    return { line, printed: part.slice(part.indexOf('\n') + 1), expected: expectedOf(blocks, line) }
  })
  return { exitCode, lastLine: outputs.at(-1)?.line, outputs, stderr }
}

function expectedOf(blocks: readonly Block[], line: number): string | undefined {
  const next = blocks[blocks.findIndex((block) => block.line === line) + 1]
  return next?.language === 'text' ? next.text : undefined
}

function linesOf(
  { line, language, attributes, text }: Block,
  folder: string,
  ran: Set<string>,
): readonly string[] {
  if (attributes['file'] !== undefined) {
    writeBlock(join(folder, attributes['file']), text)
    return language === 'yaml' ? runSteps(line, text, ran) : []
  }
  switch (language) {
    case 'sh': {
      const body = `printf '${MARK}${line}\\n'\n${text}`
      const { needs } = attributes
      return [needs === undefined ? body : `if command -v ${needs} >/dev/null; then\n${body}\nfi`]
    }
    case 'text':
      return []
    default:
      throw new Error(
        `Line ${line}: a ${language || 'plain'} block without file=<path> is run by no test.`,
      )
  }
}

interface Pipeline {
  readonly jobs?: Readonly<Record<string, { readonly steps: readonly { readonly run?: string }[] }>>
}
type Scripts = Readonly<Record<string, { readonly script?: readonly string[] } | null>>

/**
 * Returns the script lines for the commands of a pipeline: steps of GitHub's workflows, scripts of GitLab's jobs.
 *
 * @param ran commands of the page's earlier pipelines, which do not run again
 */
function runSteps(line: number, text: string, ran: Set<string>): readonly string[] {
  const { jobs = {} } = parse(text) as Pipeline
  const steps = Object.values(jobs).flatMap((job) => job.steps.map(({ run: command }) => command))
  const scripts = Object.values(parse(text) as Scripts).flatMap((job) => job?.script ?? [])
  return [...steps, ...scripts].flatMap((command) => {
    if (command === undefined || ran.has(command)) return []
    ran.add(command)
    return [`printf '${MARK}${line}\\n'\n${command}`]
  })
}

function writeBlock(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${text}\n`)
}

/** Makes the folder a reader's project, in which the package and its tools are installed and npx finds them in `tools`. */
export function furnish(folder: string): void {
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, '.bin'), { recursive: true })
  for (const name of readdirSync('node_modules'))
    if (!name.startsWith('.')) symlinkSync(resolve('node_modules', name), join(modules, name))
  symlinkSync(resolve('.'), join(modules, 'tenantry'))
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'reader', private: true, type: 'module', scripts: { test: 'true' } }),
  )
  const node = JSON.stringify(process.execPath)
  const entry = JSON.stringify(resolve('dist/bin.mjs'))
  const vitest = JSON.stringify(resolve('node_modules/vitest/vitest.mjs'))
  const start = `exec ${node} ${entry} start --detach --memory --port 0 --postgres-port none --data-dir started-by`
  writeTool(folder, 'npx', [
    'tool=$1; shift',
    'case "$tool" in',
    // The reader starts an emulator that runs until Ctrl-C. The page's next command needs it to run in the background.
    `  tenantry) if [ "$*" = start ]; then ${start}-npx; else exec ${node} ${entry} "$@"; fi ;;`,
    `  vitest) exec ${node} ${vitest} "$@" ;;`,
    '  *) echo "npx $tool is not in a reader’s project" >&2; exit 1 ;;',
    'esac',
  ])
  writeTool(folder, 'npm', [
    'case "$1" in',
    '  ci|test|install) ;;',
    `  start) ${start}-npm ;;`,
    '  *) echo "npm $1 is not in a reader’s project" >&2; exit 1 ;;',
    'esac',
  ])
  writeTool(folder, 'node', [`exec ${node} "$@"`])
}

function writeTool(folder: string, name: string, lines: readonly string[]): void {
  const path = join(folder, 'tools', name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, ['#!/bin/sh', ...lines, ''].join('\n'))
  chmodSync(path, 0o755)
}

interface Run {
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}

function tenantry(folder: string, args: readonly string[]): Promise<Run> {
  return run(folder, process.execPath, [resolve('dist/bin.mjs'), ...args])
}

/** Runs a command in the folder, without the variables of an emulator that this process was started for. */
function run(folder: string, command: string, args: readonly string[]): Promise<Run> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('TENANTRY_'))
  const child = spawn(command, args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...Object.fromEntries(inherited),
      PATH: `${join(folder, 'tools')}:${process.env['PATH'] ?? ''}`,
      NO_COLOR: '1',
    },
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
  })
  return new Promise((done) => {
    child.on('close', (exitCode) => done({ exitCode, stdout, stderr }))
  })
}
