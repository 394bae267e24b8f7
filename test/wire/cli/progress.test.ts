// The line of progress, in a pseudo terminal made by util-linux `script`, and its absence in a pipe.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CLI_COMMAND, runProgram, spawnCliIn, temporaryFolder } from '../../support/cli-process.ts'

const HAS_TERMINAL = spawnSync('script', ['--version']).stdout?.toString().includes('util-linux')
const title = `in a terminal${HAS_TERMINAL ? '' : ' (skipped: no script of util-linux here)'}`
/** An auth host that never answers, so that the work lasts as long as the test needs. */
let silent: Server
let url = ''
const folder = temporaryFolder()

beforeAll(async () => {
  silent = createServer(() => {}).listen(0, '127.0.0.1')
  await new Promise((resolve) => silent.once('listening', resolve))
  url = `http://127.0.0.1:${(silent.address() as { port: number }).port}`
})
afterAll(() => {
  silent.closeAllConnections()
  silent.close()
  folder.remove()
})

const PULL = ['--project', 'shop', '--out', 'pulled']
const KEYS = { TENANTRY_REMOTE_MANAGEMENT_KEY: 'key', TERM: 'xterm' }
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Runs the command in a terminal with this many columns. Ends it with Ctrl-C when `until` appears. */
async function inTerminal(args: readonly string[], columns: number, until?: string) {
  const command = [...CLI_COMMAND, ...args].map(quoted).join(' ')
  const cwd = mkdtempSync(join(folder.path, 'run-'))
  const line = `stty cols ${columns} rows 24; exec ${command}`
  const run = runProgram(['script', '-qec', line, '/dev/null'], KEYS, cwd, 'pipe')
  let text = ''
  let isInterrupted = false
  run.child.stdout?.on('data', (chunk: Buffer) => {
    text += chunk.toString()
    if (isInterrupted || until === undefined || !text.includes(until)) return
    isInterrupted = true
    run.child.stdin?.write('\u0003')
  })
  return await run.ended
}

describe.skipIf(!HAS_TERMINAL)(`tenantry, ${title}`, () => {
  it('shows what it does, and says at Ctrl-C what is left behind', async () => {
    const { code, stdout } = await inTerminal(['pull', '--url', url, ...PULL], 80, 'Reading shop …')
    expect(stdout).toContain('tenantry: Interrupted at: Reading shop. Nothing was written.')
    expect(code).toBe(130)
  })

  it('cuts the line in a narrow terminal', async () => {
    const { stdout } = await inTerminal(['pull', '--url', url, ...PULL], 12, 'Reading sh…')
    expect(stdout).not.toContain('Reading shop …')
  })

  it('removes the line before the answer', async () => {
    const { code, stdout } = await inTerminal(
      ['exec', '--fixture', 'none', '--', 'echo', 'ran'],
      80,
    )
    expect(stdout).toContain('Starting the database engine …')
    expect(stdout.slice(stdout.lastIndexOf('\u001b['))).toBe('\u001b[?2026lran\r\n')
    expect(code).toBe(0)
  })

  it('shows nothing with --quiet', async () => {
    const args = ['exec', '--quiet', '--fixture', 'none', '--', 'echo', 'ran']
    expect((await inTerminal(args, 80)).stdout).toBe('ran\r\n')
  })
})

it('writes no line of progress to a pipe', async () => {
  writeFileSync(join(folder.path, 'empty'), '')
  const run = spawnCliIn(folder.path, ['exec', '--fixture', 'none', '--', 'echo', 'ran'])
  expect(await run.ended).toMatchObject({ code: 0, stdout: 'ran\n', stderr: '' })
})
