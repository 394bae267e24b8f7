// The layer rules hold, and the graph tool really looked: an empty graph would pass every rule.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

interface CruiseResult {
  readonly modules: readonly { readonly source: string }[]
  readonly summary: {
    readonly violations: readonly {
      readonly rule: { readonly name: string }
      readonly from: string
      readonly to: string
    }[]
  }
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
      'emulator',
      'client',
      'renderer',
      'test/wire',
      'scripts',
    ],
    { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  return JSON.parse(output) as CruiseResult
}

function sourceFiles(): string[] {
  return ['emulator', 'client', 'renderer'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => `${folder}/${name}`),
  )
}

describe('architecture', () => {
  const result = cruise()

  it('lets every import go downwards only', () => {
    expect(
      result.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`),
    ).toEqual([])
  })

  it('is judged on every source file', () => {
    const seen = new Set(result.modules.map(({ source }) => source))
    expect(sourceFiles().filter((file) => !seen.has(file))).toEqual([])
    expect(seen.size).toBeGreaterThan(60)
  })

  it('keeps every source file short enough to read in one go', () => {
    const long = sourceFiles()
      .map((file) => ({ file, lines: readFileSync(file, 'utf8').split('\n').length }))
      .filter(({ lines }) => lines > 400)
    expect(long).toEqual([])
  })
})
