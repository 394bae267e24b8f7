// Features that Windows lacks. The page docs/platform-calls.md lists every file that uses them, and the product works
// without them.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isAlive } from '../../../emulator/database/data-dir/data-dir-lock.ts'
import { openTemporaryDir } from '../../../emulator/database/data-dir/temporary-dir.ts'
import {
  type CreatingModule,
  createInOneCall,
  type DirectoryModule,
  lookUpWithoutThrowing,
} from '../../../emulator/database/embedded/worker/boot/engine-files.ts'
import { BlobFolders } from '../../../emulator/services/storage/blobs/blob-folders.ts'

/** The pattern of each feature's calls in the source, by the feature's row on the page. */
const CALLS: Readonly<Record<string, RegExp>> = {
  signals: /process\.kill\(|'SIG(?:INT|TERM|HUP|KILL)'/,
  'process groups': /taskkill|detached: (?:ownsGroup|tree)/,
  '/bin/sh': /'\/bin\/sh'/,
  'detached processes': /detached: true/,
  'file modes': /\b0o[67]\d\d\b|chmod/,
  'user ids': /process\.getuid/,
  'flushing folders': /fsync|datasync/,
  'symbolic links': /symlinkSync\(/,
  'Unix sockets': /\.s\.PGSQL/,
  'hard links': /(?<!sym)linkSync\(/,
  'look-ups without exceptions': /lstatSync\(/,
  '/proc': /[`'"]\/proc\//,
  '/dev/shm': /'\/dev\/shm'/,
  '.cmd files': /cmd\.exe/,
}
const NEVER = /process\.(?:geteuid|getgid|setuid|umask)|import\.meta\.url\)\.pathname/

const PAGE = readFileSync('docs/platform-calls.md', 'utf8')
const SOURCES = ['emulator', 'main', 'client']
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  )
  .filter((name) => name.endsWith('.ts'))
  .map((name) => ({ name, code: withoutComments(readFileSync(name, 'utf8')) }))

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
}

/** Returns the files in the page's line `- <call>: \`file\`, \`file\``. */
function listedFiles(call: string): readonly string[] {
  const line = PAGE.split('\n').find((text) => text.startsWith(`- ${call}: `)) ?? ''
  return [...line.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file).sort()
}

describe('docs/platform-calls.md', () => {
  it.each(Object.entries(CALLS))('lists the files that use %s', (call, pattern) => {
    const using = SOURCES.filter(({ code }) => pattern.test(code)).map(({ name }) => name)
    expect(listedFiles(call)).toEqual(using.sort())
  })

  it('has a row for each call that differs between platforms', () => {
    const rows = [...PAGE.matchAll(/^\| `?([^|`]+)`? \|/gm)].map(([, call = '']) => call.trim())
    expect(rows.filter((row) => row !== 'call')).toEqual(Object.keys(CALLS))
  })

  it('lists a call as unused only when no source uses the call', () => {
    expect(SOURCES.filter(({ code }) => NEVER.test(code)).map(({ name }) => name)).toEqual([])
  })
})

describe('the emulator on Windows', () => {
  it('opens no folder to flush it', async () => {
    const root = mkdtempSync(join(tmpdir(), 'tenantry-folders-'))
    const id = 'ab-blob'
    // The folder does not exist, so an emulator that flushes it fails.
    const flush = (platform: NodeJS.Platform) => {
      const folders = new BlobFolders(root, true, platform)
      return folders.flushFolderOf(id)
    }
    await expect(flush('linux')).rejects.toThrow('ENOENT')
    await expect(flush('win32')).resolves.toBeUndefined()
    rmSync(root, { recursive: true })
  })

  it('does not replace emscripten’s function that looks up files', () => {
    const lookup = (): object => ({})
    const module = { FS: {}, NODEFS: { node_ops: { lookup } } } as unknown as DirectoryModule
    lookUpWithoutThrowing(module, 'win32')
    expect(module.NODEFS.node_ops.lookup).toBe(lookup)
  })

  it('does not replace emscripten’s functions that create files', () => {
    const node_ops = { mknod: () => ({ mode: 0 }), setattr: () => undefined }
    const stream_ops = { open: () => undefined }
    const before = { ...node_ops, ...stream_ops }
    const module = { FS: {}, NODEFS: { node_ops, stream_ops } } as unknown as CreatingModule
    createInOneCall(module, 'win32')
    expect({ ...node_ops, ...stream_ops }).toEqual(before)
  })

  it('treats a lock as held when a process has the lock’s process id and an unknown start time', () => {
    const holder = { pid: process.pid, startedAt: '1' }
    expect(isAlive(holder, () => undefined)).toBe(true)
    expect(isAlive(holder, () => '2')).toBe(false)
  })

  it('keeps the files of --memory in the temporary folder', () => {
    const folder = openTemporaryDir(join(tmpdir(), 'no-such-folder'))
    expect(folder.path.startsWith(tmpdir())).toBe(true)
    folder.remove()
  })
})
