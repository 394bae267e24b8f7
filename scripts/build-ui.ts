// Bundles the inspector's pages into dist/ui, each file also compressed, and prints the size of the first load.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { packageFile } from '../emulator/core/package-files.ts'
import { noteLicenses } from './third-party-licenses.ts'

/** Maximum compressed bytes of script that the shell may load before it is displayed. */
const FIRST_LOAD_LIMIT = 300 * 1024
const COMPRESSIBLE = /\.(?:html|js|css|svg|json)$/

/** Writes dist/ui. @throws {Error} when the first load is over its limit, or a page loads zod */
export async function buildUi(): Promise<void> {
  const output = await build({
    configFile: packageFile('vite.config.ts'),
    root: packageFile('renderer'),
    logLevel: 'warn',
    plugins: [noteLicenses],
    worker: { plugins: () => [noteLicenses] },
  })
  const made = chunksOf(output)
  // zod would add 20 KB. A page that uses only a type of the contract must import it with `import type`.
  if (made.some(({ moduleIds }) => moduleIds.some((id) => id.includes('/node_modules/zod/'))))
    throw new Error('A page loads zod: move what it imports into a file without schemas.')
  const sizes = compressFiles(packageFile('dist', 'ui'))
  const { chunks, bytes } = firstLoad(made, sizes)
  process.stdout.write(
    `dist/ui: ${sizes.size} files; first load ${Math.round(bytes / 1024)} KB of script in ${chunks} files, compressed\n`,
  )
  if (bytes > FIRST_LOAD_LIMIT)
    throw new Error(`The first load is over ${FIRST_LOAD_LIMIT / 1024} KB: split a route off.`)
}

/** Compresses the files. Returns the compressed sizes in bytes by path within the folder. */
function compressFiles(folder: string): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>()
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!COMPRESSIBLE.test(name)) continue
    const content = readFileSync(join(folder, name))
    const compressed = brotliCompressSync(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.byteLength,
      },
    })
    writeFileSync(join(folder, `${name}.br`), compressed)
    writeFileSync(join(folder, `${name}.gz`), gzipSync(content, { level: 9 }))
    sizes.set(name.replaceAll('\\', '/'), compressed.byteLength)
  }
  return sizes
}

function chunksOf(output: Awaited<ReturnType<typeof build>>): readonly Rolldown.OutputChunk[] {
  const files = [output].flat().flatMap((one) => ('output' in one ? one.output : []))
  return files.filter((file) => file.type === 'chunk')
}

/** Returns the entry chunk with everything it imports before it runs. */
function firstLoad(
  made: readonly Rolldown.OutputChunk[],
  sizes: ReadonlyMap<string, number>,
): { readonly chunks: number; readonly bytes: number } {
  const chunks = new Map(made.map((chunk) => [chunk.fileName, chunk]))
  const needed = new Set<string>()
  const pending = [...chunks.values()].filter(({ isEntry }) => isEntry)
  for (let chunk = pending.pop(); chunk !== undefined; chunk = pending.pop()) {
    if (needed.has(chunk.fileName)) continue
    needed.add(chunk.fileName)
    for (const name of chunk.imports) {
      const imported = chunks.get(name)
      if (imported !== undefined) pending.push(imported)
    }
  }
  const bytes = [...needed].reduce((sum, name) => sum + (sizes.get(name) ?? 0), 0)
  return { chunks: needed.size, bytes }
}
