// The files that agents can read: pages of the guide and of the wire contract, and the text files of the package's fixtures.
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { packageFile } from '../../core/package-files.ts'

export interface TextFile {
  readonly uri: string
  /** Path below the package's folder, such as `docs/guide/audit.md`. */
  readonly path: string
  readonly mimeType: string
}

const TYPES: Readonly<Record<string, string>> = {
  '.md': 'text/markdown',
  '.yaml': 'application/yaml',
  '.sql': 'application/sql',
  '.csv': 'text/csv',
  '.json': 'application/json',
}

const DOCS = ['docs/guide', 'docs/wire']

/** Lists the files, in the order of their paths. */
export function listFiles(): readonly TextFile[] {
  const pages = DOCS.flatMap((folder) => namesIn(folder).filter((name) => name.endsWith('.md')))
  return [...pages, ...namesIn('fixtures', { recursive: true })].flatMap((path) => {
    const mimeType = TYPES[extname(path)]
    return mimeType === undefined ? [] : [{ uri: `tenantry:///${path}`, path, mimeType }]
  })
}

export function readText({ path }: TextFile): Promise<string> {
  return readFile(packageFile(path), 'utf8')
}

function namesIn(
  folder: string,
  options: { readonly recursive?: boolean } = {},
): readonly string[] {
  return readdirSync(packageFile(folder), { ...options, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .toSorted()
}
