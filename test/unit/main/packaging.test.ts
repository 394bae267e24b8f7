// Checks electron-builder.yml against its published schema, and against the files that the build makes.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { BUNDLE_FILE_ENDING, BUNDLE_TYPE } from '../../../emulator/contract/bundles.ts'
import { BUNDLE_EXTENSION, FIXTURE_EXTENSION, LINK_SCHEME } from '../../../main/open-target.ts'
import { beforePack } from '../../../scripts/before-pack.ts'

const configuration = parse(readFileSync('electron-builder.yml', 'utf8'))
const manifest = JSON.parse(readFileSync('package.json', 'utf8'))

describe('electron-builder.yml', () => {
  it('fits its published schema', () => {
    const schema = JSON.parse(readFileSync('node_modules/app-builder-lib/scheme.json', 'utf8'))
    const ajv = new Ajv({ strict: false, allErrors: true })
    ajv.addKeyword('typeof')

    ajv.validate(schema, configuration)

    expect(ajv.errors ?? []).toEqual([])
  })

  it.each([
    manifest.main,
    configuration.icon,
    configuration.directories.buildResources,
    configuration.beforePack,
    configuration.mac.entitlements,
    configuration.mac.entitlementsInherit,
    'dist/desktop/preload.cjs',
    'dist/desktop/pages/standing.html',
    'dist/desktop/pages/standing.js',
    'dist/desktop/pages/standing.css',
    'dist/worker.mjs',
    'dist/ui/index.html',
    'fixtures/clinics/fixture.yaml',
    ...configuration.files.flatMap((pattern: string) =>
      pattern.startsWith('!') ? [] : [pattern.replace('/**', '')],
    ),
  ])('names %s, which exists after the build', (path: string) => {
    expect(existsSync(path)).toBe(true)
  })

  it('builds for Windows, macOS and Linux, on x64 and arm64', () => {
    const targets = ['win', 'mac', 'linux'].flatMap((system) =>
      configuration[system].target.map(
        ({ target, arch }: { target: string; arch: string[] }) => `${target} ${arch.join('+')}`,
      ),
    )

    expect(targets).toEqual([
      'nsis x64+arm64',
      'dmg x64+arm64',
      'zip x64+arm64',
      'AppImage x64+arm64',
      'deb x64+arm64',
    ])
  })

  it('registers the link and the files that the app understands', () => {
    expect(configuration.protocols[0].schemes).toEqual([LINK_SCHEME])
    expect(configuration.fileAssociations.map(({ ext }: { ext: string }) => ext)).toEqual([
      FIXTURE_EXTENSION,
      BUNDLE_EXTENSION,
    ])
    expect(BUNDLE_FILE_ENDING).toBe(`.${BUNDLE_EXTENSION}`)
    expect(configuration.fileAssociations[1].mimeType).toBe(BUNDLE_TYPE)
  })

  it('names no update feed, so the app never checks for newer versions', () => {
    expect(configuration.publish).toBeNull()
  })
})

describe('native modules', () => {
  const TARGETS = [
    'linux-x64',
    'linux-arm64',
    'darwin-x64',
    'darwin-arm64',
    'win32-x64',
    'win32-arm64',
  ]

  // The first bytes of native programs: ELF, Mach-O (64 bit), PE.
  const FORMATS: Readonly<Record<string, string>> = {
    linux: '7f454c46',
    darwin: 'cffaedfe',
    win32: '4d5a',
  }

  it.each(TARGETS)('of better-sqlite3 for %s are N-API binaries from its package', (target) => {
    const binary = readFileSync(`node_modules/better-sqlite3/prebuilds/${target}.node`)

    expect(binary.subarray(0, 4).toString('hex')).toMatch(
      new RegExp(`^${FORMATS[target.split('-')[0] ?? '']}`),
    )
    expect(binary.includes('napi_register_module_v1')).toBe(true)
  })

  it.each(TARGETS)('are pinned by the lock file: sharp for %s', (target) => {
    const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'))

    expect(lock.packages[`node_modules/@img/sharp-${target}`]).toMatchObject({ optional: true })
  })

  it('of sharp that are installed are N-API binaries', () => {
    const installed = readdirSync('node_modules/@img').filter((name) =>
      /^sharp-(?!libvips)/.test(name),
    )
    const binaries = installed.flatMap((name) =>
      readdirSync(join('node_modules/@img', name, 'lib'))
        .filter((file) => file.endsWith('.node'))
        .map((file) => readFileSync(join('node_modules/@img', name, 'lib', file))),
    )

    expect(binaries.length).toBeGreaterThan(0)
    expect(binaries.every((binary) => binary.includes('napi_register_module_v1'))).toBe(true)
  })

  it('stop the packager when they are missing for a target, and the error names the command that installs them', () => {
    const target = {
      electronPlatformName: 'win32',
      arch: 3,
      packager: { projectDir: join(import.meta.dirname, 'nowhere') },
    } as const

    expect(() => beforePack(target)).toThrow(
      /npm install --no-save --force @img\/sharp-win32-arm64/,
    )
  })
})
