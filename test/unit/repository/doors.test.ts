// The entries for other tools (docs/guide/doors.md): no command loads them.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, it } from 'vitest'

const DOORS = 'emulator/assembly/doors'

/** Every file that a file imports, also later and through others. */
function reachedFrom(entry: string): ReadonlySet<string> {
  const reached = new Set<string>()
  const visit = (path: string): void => {
    if (reached.has(path) || !existsSync(path)) return
    reached.add(path)
    for (const [, name = ''] of readFileSync(path, 'utf8').matchAll(/['"](\.[^'"]+\.ts)['"]/g))
      visit(resolve(dirname(path), name))
  }
  visit(resolve(entry))
  return reached
}

it.each([
  'emulator/cli/bin.ts',
  'emulator/index.ts',
  'emulator/assembly/testing/vitest.ts',
  'emulator/assembly/testing/vitest-setup.ts',
])('%s loads no door, and no other tool', (entry) => {
  const reached = [...reachedFrom(entry)].map((path) => relative('.', path))
  expect(reached.length).toBeGreaterThan(50)
  expect(reached.filter((path) => path.startsWith(DOORS))).toEqual([])
  const texts = reached.filter((path) =>
    /from '(vite|@playwright\/test)'/.test(readFileSync(path, 'utf8')),
  )
  expect(texts).toEqual([])
})

it('every door is an entry of the package', () => {
  const { exports } = JSON.parse(readFileSync('package.json', 'utf8'))
  for (const { name } of readdirSync(DOORS, { withFileTypes: true }).filter((one) =>
    one.isDirectory(),
  ))
    expect(exports[`./${name}`].types).toBe(`./dist/types/${join(DOORS, name, name)}.d.ts`)
})
