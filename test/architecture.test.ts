// Checks the layer rules, and that the import graph is not empty, because an empty graph would pass every rule.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

interface CruiseResult {
  readonly modules: readonly { readonly source: string }[]
  readonly summary: {
    readonly ruleSetUsed: {
      readonly forbidden: readonly { readonly from: { readonly path?: string } }[]
    }
    readonly violations: readonly {
      readonly rule: { readonly name: string }
      readonly from: string
      readonly to: string
    }[]
  }
}

const FOLDERS = ['emulator', 'client', 'renderer', 'main', 'scripts', 'test']

// Files that a browser loads, and a sample application of a user. .dependency-cruiser.mjs leaves them out.
const NOT_OURS = /^test\/(browser\/page|sample-app)\//

/** The folders of `emulator` whose subfolders are rooms: modules with import rules of their own. */
const ROOMS = new Set(
  ['platform', 'services', 'insight', 'workflow', 'api'].map((name) => `emulator/${name}`),
)

function foldersIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${folder}/${name}`)
}

function cruise(): CruiseResult {
  const output = execFileSync(
    process.execPath,
    [
      'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs',
      '--config',
      '.dependency-cruiser.mjs',
      '--output-type',
      'json',
      ...FOLDERS,
    ],
    { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  return JSON.parse(output) as CruiseResult
}

function sourceFiles(): string[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => `${folder}/${name}`),
  ).filter((name) => !NOT_OURS.test(name))
}

describe('architecture', () => {
  const result = cruise()

  it('lets imports go only to lower layers', () => {
    expect(
      result.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`),
    ).toEqual([])
  })

  it('has an import rule for every folder of emulator/ and of its rooms, and at most twelve entries there', () => {
    const ruled = new Set(
      result.summary.ruleSetUsed.forbidden.map(({ from }) => from.path?.replaceAll('\\', '')),
    )
    const outer = foldersIn('emulator')
    const rooms = outer.filter((folder) => ROOMS.has(folder)).flatMap(foldersIn)
    expect([...outer, ...rooms].filter((folder) => !ruled.has(`^${folder}/`))).toEqual([])
    expect(readdirSync('emulator').length).toBeLessThanOrEqual(12)
  })

  it('contains every source file', () => {
    const seen = new Set(result.modules.map(({ source }) => source))
    expect(sourceFiles().filter((file) => !seen.has(file))).toEqual([])
    expect(seen.size).toBeGreaterThan(1_500)
  })

  it('keeps every file of the product at 400 lines or fewer', () => {
    const long = sourceFiles()
      .filter((file) => !file.startsWith('test/'))
      .map((file) => ({ file, lines: readFileSync(file, 'utf8').split('\n').length }))
      .filter(({ lines }) => lines > 400)
    expect(long).toEqual([])
  })
})
