// Runs a page of the documentation as a program. The page's fenced blocks become one shell script, which runs with a separate
// emulator (`tenantry exec`). A test fails when a command no longer works.
import { spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
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
/** Data directory of the emulator that `npm start` starts. */
const STARTED = 'started'

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
 */
export async function runPage(blocks: readonly Block[]): Promise<PageRun> {
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-guide-'))
  furnish(folder)
  const script: string[] = ['set -eu', "env | grep -E '^TENANTRY_[A-Z_]+=[^{]*$' > .env"]
  for (const block of blocks) script.push(...linesOf(block, folder))
  writeFileSync(join(folder, 'page.sh'), script.join('\n'))
  const { exitCode, stdout, stderr } = await run(folder, [
    'exec',
    '--history',
    '--',
    'sh',
    'page.sh',
  ])
  // Stops the emulator of `npm start`, which continues to run after the page's script.
  if (existsSync(join(folder, STARTED))) await run(folder, ['stop', '--data-dir', STARTED])
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

function linesOf({ line, language, attributes, text }: Block, folder: string): readonly string[] {
  if (attributes['file'] !== undefined) {
    writeBlock(join(folder, attributes['file']), text)
    return language === 'yaml' ? runSteps(line, text) : []
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

/** Returns the script lines for the commands of a CI workflow's steps. */
function runSteps(line: number, text: string): readonly string[] {
  const workflow = parse(text) as { jobs?: Record<string, { steps: { run?: string }[] }> } | null
  return Object.values(workflow?.jobs ?? {})
    .flatMap(({ steps }) => steps)
    .flatMap(({ run: command }) =>
      command === undefined ? [] : [`printf '${MARK}${line}\\n'\n${command}`],
    )
}

function writeBlock(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${text}\n`)
}

// Makes the folder a reader's project, in which the package and its tools are installed and npx finds them.
function furnish(folder: string): void {
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
  writeTool(folder, 'npx', [
    'tool=$1; shift',
    'case "$tool" in',
    `  tenantry) exec ${node} ${entry} "$@" ;;`,
    `  vitest) exec ${node} ${vitest} "$@" ;;`,
    '  *) echo "npx $tool is not in a reader’s project" >&2; exit 1 ;;',
    'esac',
  ])
  writeTool(folder, 'npm', [
    'case "$1" in',
    '  ci|test) ;;',
    `  start) exec ${node} ${entry} start --detach --memory --port 0 --postgres-port none --data-dir ${STARTED} ;;`,
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

/** Runs `tenantry <args>` in the folder. */
function run(
  folder: string,
  args: readonly string[],
): Promise<{ exitCode: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [resolve('dist/bin.mjs'), ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
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
